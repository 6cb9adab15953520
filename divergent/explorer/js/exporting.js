// Files of the current view: PNG and SVG of the maps, CSV of the individuals.

import { download } from "./element.js";
import { SvgContext } from "./svg.js";

const HEADING = 26; // pixels above each map
const SCALE = 2; // pixels of a PNG file for each pixel of the page

/** Paint all maps of the view on a context, side by side; returns the size. */
function sizeOf(panels) {
  const widths = panels.map(({ canvas }) => canvas.clientWidth);
  const height = Math.max(...panels.map(({ canvas }) => canvas.clientHeight)) + HEADING;
  return { width: widths.reduce((sum, width) => sum + width, 0), height };
}

function paint(context, panels, state, palette, ratio) {
  const { width, height } = sizeOf(panels);
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, width, height);
  for (const panel of panels) {
    const { clientWidth, clientHeight } = panel.canvas;
    context.save();
    context.fillStyle = palette.ink;
    context.font = "600 13px system-ui, sans-serif";
    context.fillText(panel.run.title, 12, 18);
    const title = context.measureText(panel.run.title).width;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = palette.soft;
    context.fillText(panel.statusOf(state), 12 + title + 8, 18);
    context.translate(0, HEADING);
    panel.map.paint(context, { width: clientWidth, height: clientHeight, ratio }, { ...state, hover: null });
    context.restore();
    context.translate(clientWidth, 0);
  }
}

/** The maps as a PNG file. @returns {Promise<Blob>} */
export function toPng(panels, state, palette) {
  const { width, height } = sizeOf(panels);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  paint(context, panels, state, palette, SCALE);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

/** The maps as the text of an SVG file; settled individuals are one image, everything else is vectors. */
export function toSvg(panels, state, palette) {
  const { width, height } = sizeOf(panels);
  const context = new SvgContext();
  context.save();
  paint(context, panels, state, palette, SCALE);
  context.restore();
  const space = "http" + "://www.w3.org/2000/svg"; // the name of the format, not an address that is loaded
  return `<svg xmlns="${space}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif">\n${context.content()}\n</svg>\n`;
}

/** The individuals in the focus, or all that were evaluated so far, as the text of a CSV file. */
export function toCsv(panels) {
  const { dimensions } = panels[0].run;
  const kept = dimensions.map((dimension, place) => [dimension, place]).filter(([{ derived }]) => !derived);
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = ["run", "evaluation", "generation", ...kept.map(([{ name }]) => name), panels[0].run.measure, "score", "species", "first_parent", "second_parent"];
  const rows = [head.map(quoted).join(",")];
  for (const { run, map } of panels) {
    for (const number of map.inFocus()) {
      const parents = [run.firstParent[number], run.secondParent[number]].map((parent) => (parent < 0 ? "" : run.evaluation(parent)));
      const score = Number.isNaN(run.score[number]) ? "" : run.score[number];
      const behaviour = kept.map(([, place]) => run[`behaviour${place}`][number]);
      const species = run.species[number] < 0 ? "" : run.species[number];
      rows.push([quoted(run.title), run.evaluation(number), run.generation[run.generationOf(number)], ...behaviour, run.quality[number], score, species, ...parents].join(","));
    }
  }
  return `${rows.join("\n")}\n`;
}

/** Save the view as a file. @param {"png"|"svg"|"csv"} kind */
export async function save(kind, panels, state, palette) {
  const name = `explorer-${Math.floor(state.clock.moment)}.${kind}`;
  if (kind === "png") download(name, await toPng(panels, state, palette));
  else if (kind === "svg") download(name, new Blob([toSvg(panels, state, palette)], { type: "image/svg+xml" }));
  else download(name, new Blob([toCsv(panels)], { type: "text/csv" }));
}
