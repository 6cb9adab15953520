// The entry of the page: reads the data and starts the application of runs, or the overview of many runs.

import { Batch } from "./batch.js";
import { readBundle, readDescription, Run } from "./data.js";
import { sense } from "./drive.js";
import { Explorer } from "./explorer.js";
import { toCsv, toPng, toSvg } from "./exporting.js";
import { follow } from "./live.js";
import { Overview } from "./overview.js";
import { Palette } from "./palette.js";

async function start() {
  const page = readDescription();
  const palette = new Palette(page.grammar);
  if (page.batch) {
    window.overview = new Overview(await Batch.read(page.batch), palette);
    await window.overview.readAddress();
  } else {
    const runs = await Promise.all(
      page.runs.map(async (description, index) => new Run(description, await readBundle(index, description.arrays), index)),
    );
    window.explorer = new Explorer(runs, palette);
    // for the console: look into the data, or ask for the readings of a robot anywhere
    Object.assign(window.explorer, { sense, toCsv, toPng, toSvg });
    if (page.live) follow(window.explorer, page);
  }
  document.body.classList.add("ready");
}

start();
