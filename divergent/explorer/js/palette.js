// Colours, told apart with every kind of colour vision, and the words for them.

// of Okabe and Ito, the yellow darkened where the ground is light
const SPECIES = [
  { word: "blue", light: "#0072B2", dark: "#3D9BD6" },
  { word: "vermilion", light: "#D55E00", dark: "#E8702A" },
  { word: "green", light: "#009E73", dark: "#1DB98D" },
  { word: "pink", light: "#CC79A7", dark: "#DB93BB" },
  { word: "orange", light: "#E69F00", dark: "#F0B429" },
  { word: "sky blue", light: "#56B4E9", dark: "#7CC8F2" },
  { word: "yellow", light: "#A89B00", dark: "#F0E442" },
];
// lightness alone tells low from high
const RAMP = {
  light: ["#B6C4D6", "#86ABD6", "#5E7FC4", "#5A3E9E", "#3D0B52"],
  dark: ["#465A75", "#4A70A0", "#5C8FB0", "#A7C58B", "#FFE680"],
};
const UNKNOWN = { light: "#9AA3AF", dark: "#6B7380" };

export class Palette {
  constructor() {
    this.read();
  }

  /** Take the theme's colours from the style sheet. */
  read() {
    const style = getComputedStyle(document.documentElement);
    this.theme = style.getPropertyValue("--theme").trim();
    for (const name of ["ink", "soft", "faint", "line", "ground", "panel", "accent", "expected", "heat", "goal"]) {
      this[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.ramp = Array.from({ length: 64 }, (_, step) => mix(RAMP[this.theme], step / 63));
    this.unknown = UNKNOWN[this.theme];
  }

  species(id) {
    return id < 0 ? this.unknown : SPECIES[id % SPECIES.length][this.theme];
  }

  speciesWord(id) {
    return id < 0 ? "grey" : SPECIES[id % SPECIES.length].word;
  }

  /** The colour of a share from 0 to 1. */
  share(share) {
    return Number.isNaN(share) ? this.unknown : this.ramp[Math.round(Math.min(Math.max(share, 0), 1) * 63)];
  }
}

export function rgb(hex) {
  return [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));
}

function mix(stops, share) {
  const place = share * (stops.length - 1);
  const low = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [rgb(stops[low]), rgb(stops[low + 1])];
  const parts = from.map((part, channel) => Math.round(part + (to[channel] - part) * (place - low)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
