// What happened over time, on the clock's scale: the best so far, the number of species, the river of species.

import { count, figure, prepare } from "./canvas.js";

const LEFT = 38;
const RIGHT = 8;

/** A picture over evaluations; the part that is still to come is pale, and a line marks the moment. */
class Strip {
  constructor(run, canvas, palette, limit) {
    Object.assign(this, { run, canvas, palette, limit });
    this.whole = document.createElement("canvas");
    this.key = "";
  }

  draw(moment) {
    const { context, width, height, ratio } = prepare(this.canvas);
    const { palette } = this;
    this.width = width;
    this.paintWhole(width, height, ratio);
    const now = this.x(moment);
    context.globalAlpha = 0.28;
    context.drawImage(this.whole, 0, 0, width, height);
    context.globalAlpha = 1;
    context.save();
    context.beginPath();
    context.rect(0, 0, now, height);
    context.clip();
    context.clearRect(LEFT, 0, now - LEFT, height);
    context.drawImage(this.whole, 0, 0, width, height);
    context.restore();
    context.strokeStyle = palette.ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(Math.round(now) + 0.5, 0);
    context.lineTo(Math.round(now) + 0.5, height);
    context.stroke();
    context.fillStyle = palette.soft;
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "right";
    this.marks().forEach(([text, share]) => context.fillText(text, LEFT - 6, 9 + share * (height - 11)));
    context.textAlign = "start";
  }

  x(births) {
    return LEFT + (births / this.limit) * (this.width - LEFT - RIGHT);
  }

  /** The moment that a place on the canvas means. */
  momentAt(x) {
    return ((x - LEFT) / (this.width - LEFT - RIGHT)) * this.limit;
  }

  paintWhole(width, height, ratio) {
    const key = [width, height, ratio, this.palette.theme].join();
    if (key === this.key) return;
    this.key = key;
    [this.whole.width, this.whole.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const context = this.whole.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = this.palette.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(LEFT, height - 0.5);
    context.lineTo(width - RIGHT, height - 0.5);
    context.stroke();
    this.paint(context, height);
  }

  end(generation) {
    return generation + 1 < this.run.first.length ? this.run.first[generation + 1] : this.run.offspring;
  }
}

export class BestStrip extends Strip {
  constructor(...parts) {
    super(...parts);
    const { run } = this;
    const [first, last] = [run.quality[run.best[0]], run.quality[run.best[run.offspring - 1]]];
    this.low = run.smaller ? Math.min(0, last) : first;
    this.high = run.smaller ? first : last;
    if (this.high <= this.low) this.high = this.low + 1;
  }

  paint(context, height) {
    const { run } = this;
    context.strokeStyle = this.palette.accent;
    context.lineWidth = 1.8;
    context.lineJoin = "round";
    context.beginPath();
    let level = null;
    for (let number = 0; number < run.offspring; number++) {
      const value = run.quality[run.best[number]];
      if (value === level) continue;
      const y = 3 + (1 - (value - this.low) / (this.high - this.low)) * (height - 6);
      if (level === null) context.moveTo(this.x(0), y);
      else context.lineTo(this.x(number), this.lastY);
      context.lineTo(this.x(number), y);
      [level, this.lastY] = [value, y];
    }
    context.lineTo(this.x(run.offspring), this.lastY);
    context.stroke();
    if (run.solution === null) return;
    context.fillStyle = this.palette.goal;
    context.beginPath();
    context.arc(this.x(run.solution + 1), this.lastY, 3.5, 0, 2 * Math.PI);
    context.fill();
  }

  marks() {
    return [[figure(this.high), 0], [figure(this.low), 1]];
  }

  now(born) {
    return born ? figure(this.run.quality[this.run.best[born - 1]]) : "";
  }
}

export class SpeciesStrip extends Strip {
  constructor(...parts) {
    super(...parts);
    this.high = this.run.riverCount.reduce((most, one) => Math.max(most, one), 1);
  }

  paint(context, height) {
    context.strokeStyle = this.palette.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    this.run.riverCount.forEach((species, generation) => {
      const y = 3 + (1 - species / this.high) * (height - 6);
      context.lineTo(this.x(this.run.first[generation]), y);
      context.lineTo(this.x(this.end(generation)), y);
    });
    context.stroke();
  }

  marks() {
    return [[count(this.high), 0], ["0", 1]];
  }

  now(born) {
    return count(this.run.riverCount[this.run.generationOf(Math.max(born - 1, 0))]);
  }
}

/** How many belong to each species, one above the other in the order in which they were founded. */
export class RiverStrip extends Strip {
  constructor(...parts) {
    super(...parts);
    const { run } = this;
    this.species = [...new Set(run.riverSpecies)].sort((a, b) => a - b);
    const row = new Map(this.species.map((id, place) => [id, place]));
    this.levels = Array.from(run.first, (_, generation) => {
      const sizes = new Float64Array(this.species.length);
      for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) {
        sizes[row.get(run.riverSpecies[pair])] = run.riverSize[pair];
      }
      const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
      let level = 0;
      return [0, ...sizes.map((size) => (level += size / total))];
    });
  }

  paint(context, height) {
    const { run } = this;
    const y = (level) => 1 + (1 - level) * (height - 2);
    const places = run.first.length;
    const x = (generation) => this.x(generation < places ? run.first[generation] : run.offspring);
    this.species.forEach((id, band) => {
      context.beginPath();
      let empty = true;
      for (let generation = 0; generation <= places; generation++) {
        const levels = this.levels[Math.min(generation, places - 1)];
        if (levels[band + 1] > levels[band]) empty = false;
        context.lineTo(x(generation), y(levels[band + 1]));
      }
      for (let generation = places; generation >= 0; generation--) {
        context.lineTo(x(generation), y(this.levels[Math.min(generation, places - 1)][band]));
      }
      if (empty) return;
      context.fillStyle = this.palette.species(id);
      context.fill();
      context.strokeStyle = this.palette.panel;
      context.lineWidth = 0.5;
      context.stroke();
    });
  }

  marks() {
    return [["all", 0], ["0", 1]];
  }

  /** The species at a place on the canvas, null if there is none. */
  find(x, y) {
    const height = this.canvas.clientHeight;
    const generation = this.run.generationOf(Math.min(Math.max(this.momentAt(x), 0), this.run.offspring - 1));
    const level = 1 - (y - 1) / (height - 2);
    const levels = this.levels[generation];
    const band = levels.findIndex((low, place) => place < this.species.length && low <= level && level < levels[place + 1]);
    return band < 0 || this.momentAt(x) > this.run.offspring ? null : this.species[band];
  }

  now(born) {
    const generation = this.run.generationOf(Math.max(born - 1, 0));
    let largest = this.run.riverStart[generation];
    for (let pair = largest; pair < this.run.riverStart[generation + 1]; pair++) {
      if (this.run.riverSize[pair] > this.run.riverSize[largest]) largest = pair;
    }
    const id = this.run.riverSpecies[largest];
    return `largest: ${id + 1} (${this.palette.speciesWord(id)}), ${count(this.run.riverSize[largest])} members`;
  }
}
