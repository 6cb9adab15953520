// The visual grammar of the page: colours of marks, species, searches and values, as in the matplotlib figures.

import { colourPlace } from "./species.js";

const LOWEST = { light: 0, dark: 0.25 }; // the dark end of the value ramp is not visible on a dark page

/** Colours of one theme; the grammar comes from divergent.plots.style, the surfaces from the style sheet. */
export class Palette {
  /** @param {object} grammar Marks, species, searches and the value ramp, each for light and dark. */
  constructor(grammar) {
    this.grammar = grammar;
    this.read();
  }

  /** Take the surfaces from the style sheet, and give the marks to it. */
  read() {
    const root = document.documentElement;
    const style = getComputedStyle(root);
    this.theme = style.getPropertyValue("--theme").trim();
    for (const name of ["ink", "soft", "faint", "line", "ground", "panel", "accent"]) {
      this[name] = style.getPropertyValue(`--${name}`).trim();
    }
    for (const [name, colours] of Object.entries(this.grammar.marks)) {
      this[name] = colours[this.theme];
      root.style.setProperty(`--${name}`, colours[this.theme]);
    }
    const lowest = LOWEST[this.theme] ?? 0;
    this.ramp = Array.from({ length: 64 }, (_, step) => mix(this.grammar.ramp, lowest + ((1 - lowest) * step) / 63));
    this.unknown = this.individual;
  }

  /** The colour of a species of a run; seven colours repeat, but not in one legend. */
  species(run, id) {
    const { species } = this.grammar;
    return id < 0 ? this.unknown : species[colourPlace(run, id, species.length)][this.theme];
  }

  /** The colour of a search. */
  search(name) {
    const colours = this.grammar.searches[name];
    return colours ? colours[this.theme] : this.ink;
  }

  /** The dash pattern of a search, in pixels. */
  dash(name) {
    return this.grammar.dashes[name] || [];
  }

  /** The colour of a value from 0 (dark, low) to 1 (bright, high). */
  value(fraction) {
    return Number.isNaN(fraction) ? this.unknown : this.ramp[Math.round(Math.min(Math.max(fraction, 0), 1) * 63)];
  }
}

/** The red, green and blue parts of a colour such as #0072B2. */
export function rgb(hex) {
  return [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));
}

function mix(stops, fraction) {
  const place = fraction * (stops.length - 1);
  const low = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [rgb(stops[low]), rgb(stops[low + 1])];
  const parts = from.map((part, channel) => Math.round(part + (to[channel] - part) * (place - low)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
