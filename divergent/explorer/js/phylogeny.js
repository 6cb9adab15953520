// Species over time: founders, parents, sizes; drawn as stacked areas and as a phylogeny on the same time axis.

import { count } from "./canvas.js";
import { Chart, LEFT } from "./chart.js";
import { NONE } from "./data.js";

/**
 * The species of a run.
 * @returns {{id: number, parent: number, members: number, from: number, to: number, best: number}[]}
 *   In the order of founding; `from` and `to` are evaluations, `parent` is the species of the founder's first parent,
 *   `best` the best quality.
 */
export function speciesOf(run) {
  const lives = livesOf(run);
  return (run.speciesId ? storedSpecies(run) : countedSpecies(run))
    .filter(({ id }) => lives.has(id))
    .map((species) => ({ ...species, ...lives.get(species.id) }))
    .sort((a, b) => a.from - b.from || a.id - b.id);
}

/** The species of a thinned run, of all its individuals. */
function storedSpecies(run) {
  return Array.from(run.speciesId, (id, place) => ({ id, parent: run.speciesParent[place], members: run.speciesMembers[place], best: run.speciesBest[place] }));
}

function countedSpecies(run) {
  const found = new Map();
  for (let number = 0; number < run.count; number++) {
    const id = run.species[number];
    if (id === NONE) continue;
    if (!found.has(id)) found.set(id, { id, parent: parentSpecies(run, number, id), members: 0, best: run.quality[number] });
    const species = found.get(id);
    species.members++;
    if (run.isBetter(run.quality[number], species.best)) species.best = run.quality[number];
  }
  return [...found.values()];
}

function parentSpecies(run, number, id) {
  let parent = run.firstParent[number];
  while (parent !== NONE && run.species[parent] === id) parent = run.firstParent[parent];
  return parent === NONE ? NONE : run.species[parent];
}

/** The evaluations from which and up to which each species has members. */
function livesOf(run) {
  const lives = new Map();
  for (let generation = 0; generation < run.first.length; generation++) {
    const [from, to] = [run.evaluation(run.first[generation]) - 1, run.evaluation(run.generationEnd(generation)) - 1];
    for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) {
      const id = run.riverSpecies[pair];
      const life = lives.get(id) || { from, to, largest: 0 };
      lives.set(id, { from: life.from, to, largest: Math.max(life.largest, run.riverSize[pair]) });
    }
  }
  return lives;
}

/** Species in the order of a phylogeny: each species before its descendants. */
export function phylogenyOrder(species) {
  const known = new Set(species.map(({ id }) => id));
  const children = new Map();
  const roots = [];
  for (const one of species) {
    if (one.parent === NONE || !known.has(one.parent)) roots.push(one);
    else children.set(one.parent, [...(children.get(one.parent) || []), one]);
  }
  const order = [];
  const visit = (one) => {
    order.push(one);
    (children.get(one.id) || []).forEach(visit);
  };
  roots.forEach(visit);
  return order.length === species.length ? order : species;
}

/** Sizes of species as stacked areas, the oldest lowest. */
export class SpeciesAreas extends Chart {
  setRun(run, highlighted) {
    Object.assign(this, { run, highlighted });
    if (this.levelsOf === run) return;
    this.levelsOf = run;
    this.ids = [...new Set(run.riverSpecies)].sort((a, b) => a - b);
    const row = new Map(this.ids.map((id, place) => [id, place]));
    this.levels = Array.from(run.first, (_, generation) => {
      const sizes = new Float64Array(this.ids.length);
      for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) {
        sizes[row.get(run.riverSpecies[pair])] = run.riverSize[pair];
      }
      const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
      let level = 0;
      return [0, ...sizes.map((size) => (level += size / total))];
    });
  }

  paint(context, height) {
    const { run, palette } = this;
    const y = (level) => 1 + (1 - level) * (height - 2);
    const places = run.first.length;
    const x = (generation) => this.x(generation < places ? run.evaluation(run.first[generation]) - 1 : run.evaluations);
    this.ids.forEach((id, band) => {
      context.beginPath();
      for (let generation = 0; generation <= places; generation++) {
        context.lineTo(x(generation), y(this.levels[Math.min(generation, places - 1)][band + 1]));
      }
      for (let generation = places; generation >= 0; generation--) {
        context.lineTo(x(generation), y(this.levels[Math.min(generation, places - 1)][band]));
      }
      const outside = this.highlighted !== null && this.highlighted !== id;
      context.fillStyle = outside ? palette.line : palette.species(run, id);
      context.fill();
      context.strokeStyle = palette.panel;
      context.lineWidth = 0.5;
      context.stroke();
    });
  }

  scale() {
    return [["100%", 0], ["0%", 1]];
  }

  /** The species at a place on the canvas, null if there is none. */
  find(x, y) {
    const moment = this.momentAt(x);
    if (x < LEFT || moment > this.run.evaluations) return null;
    const level = 1 - (y - 1) / (this.canvas.clientHeight - 2);
    const levels = this.levels[this.run.generationOf(this.run.individualAt(moment))];
    const band = levels.findIndex((low, place) => place < this.ids.length && low <= level && level < levels[place + 1]);
    return band < 0 ? null : this.ids[band];
  }
}

/** Species as horizontal lines from founding to extinction, joined to the species that they descend from. */
export class Phylogeny extends Chart {
  setRun(run, highlighted) {
    Object.assign(this, { run, highlighted });
    if (this.speciesOf === run) return;
    this.speciesOf = run;
    this.species = phylogenyOrder(speciesOf(run));
    this.rows = new Map(this.species.map(({ id }, row) => [id, row]));
    this.canvas.style.height = `${Math.min(Math.max(this.species.length * 11 + 10, 60), 320)}px`;
  }

  y(row, height) {
    return 6 + ((row + 0.5) / this.species.length) * (height - 12);
  }

  paint(context, height) {
    const { run, palette } = this;
    for (const { id, from, to, parent, largest } of this.species) {
      const y = this.y(this.rows.get(id), height);
      const outside = this.highlighted !== null && this.highlighted !== id;
      context.strokeStyle = outside ? palette.line : palette.species(run, id);
      if (this.rows.has(parent)) {
        context.lineWidth = 1;
        context.globalAlpha = 0.7;
        context.beginPath();
        context.moveTo(this.x(from) + 0.5, this.y(this.rows.get(parent), height));
        context.lineTo(this.x(from) + 0.5, y);
        context.stroke();
        context.globalAlpha = 1;
      }
      context.lineWidth = Math.min(2 + largest / 25, Math.max(2, (0.7 * (height - 12)) / this.species.length));
      context.beginPath();
      context.moveTo(this.x(from), y);
      context.lineTo(Math.max(this.x(to), this.x(from) + 1.5), y);
      context.stroke();
    }
    const room = (height - 12) / this.species.length;
    if (room < 8) return;
    context.font = "9px system-ui, sans-serif";
    context.textAlign = "right";
    for (const { id, from } of this.species) {
      const y = this.y(this.rows.get(id), height);
      context.fillStyle = this.highlighted === id ? palette.ink : palette.soft;
      context.fillText(id, Math.max(this.x(from) - 4, 12), y + 3);
    }
    context.textAlign = "start";
  }

  /** The species nearest to a place on the canvas, null if none is near. */
  find(x, y) {
    const height = this.canvas.clientHeight;
    const row = Math.round(((y - 6) / (height - 12)) * this.species.length - 0.5);
    const species = this.species[Math.min(Math.max(row, 0), this.species.length - 1)];
    return species && Math.abs(this.y(row, height) - y) < 9 ? species.id : null;
  }
}

/** What is known of a species, in words. */
export function describeSpecies(run, { id, from, to, parent, members }) {
  const origin = parent === NONE ? "from the first generation" : `from species ${parent}`;
  const end = to >= run.evaluations ? "to the end" : `to ${count(to)}`;
  return `Species ${id}, ${origin}: ${count(members)} individuals, evaluations ${count(from)} ${end}`;
}
