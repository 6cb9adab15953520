// The data of the page: arrays of each run, unpacked, and questions about them.

export const NONE = -1; // an unknown parent or species
const MISSING = 65535; // a measurement that is not there

/** Read the description of the page. */
export function readDescription() {
  return JSON.parse(document.getElementById("description").textContent);
}

/** Read the arrays with an index in the page. */
export async function readBundle(index, arrays) {
  const text = document.getElementById(`arrays-${index}`).textContent;
  return readArrays(arrays, await unpack(text));
}

/** Unpack gzip in base64. */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Typed arrays by name from one buffer; measurements are restored from 65,535 steps. */
export function readArrays(entries, buffer) {
  const types = { Int8Array, Uint8Array, Uint16Array, Int32Array, Float32Array };
  const arrays = {};
  let offset = 0;
  for (const [name, { type, length, low, high }] of Object.entries(entries)) {
    const stored = new types[type](buffer, offset, length);
    offset += Math.ceil(stored.byteLength / 4) * 4;
    arrays[name] = low === undefined ? stored : measured(stored, low, high);
  }
  return arrays;
}

function measured(steps, low, high) {
  const scale = (high - low) / (MISSING - 1);
  return Float32Array.from(steps, (step) => (step === MISSING ? NaN : low + step * scale));
}

/** One run: an entry of each array per individual, in the order of evaluation. */
export class Run {
  /**
   * @param {object} description Title, dimensions, maze and so on, see page_data.py.
   * @param {object} arrays Typed arrays by name.
   * @param {number} index Place of the run on the page.
   */
  constructor(description, arrays, index) {
    Object.assign(this, description, arrays);
    this.index = index;
    this.stride = description.stride || 1; // evaluations between two individuals that the page has
    this.count = this.quality.length;
    this.noun = this.maze ? "robot" : "individual";
    this.firstParent = this.firstParent.map((distance, number) => (distance ? number - distance : NONE));
    this.secondParent = this.secondParent.map((distance, number) => (distance ? number - distance : NONE));
    this.generationSize = this.first.length > 1 ? this.first[1] * this.stride : this.evaluations;
    this.best = bestSoFar(this.quality, this.smaller);
    this.rank ||= ranks(this.score, this.first); // a thinned run brings the ranks among all individuals
    this.memoryAt ||= this.first.map((_, generation) => generation);
    for (const name of ["river", "centroids", "predictions", "occupied"]) {
      this[`${name}Start`] = starts(this[`${name}Count`]);
    }
    this.robotAt = new Map(Array.from(this.robots, (number, place) => [number, place]));
    this.moveStart = starts(this.robotSteps);
    this.linkStart = starts(this.robotLinks);
    this.hasSpecies = this.riverSpecies.length > 0;
    this.hasScores = this.score.some((score) => !Number.isNaN(score));
    this.hasParents = this.firstParent.some((number) => number !== NONE);
    this.hasPredictions = this.predictions0.length + this.centroids0.length > 0;
    this.hasArchive = this.archive0.length > 0;
    this.qualityRange = range(this.quality);
    this.choose(this.plane[0], this.plane[1]);
  }

  /** Show two of the behaviour dimensions. */
  choose(across, up) {
    this.plane = [across, up];
    for (const name of ["centroids", "predictions", "archive"]) {
      this[`${name}X`] = this[`${name}${across}`];
      this[`${name}Y`] = this[`${name}${up}`];
    }
    [this.x, this.y] = [this[`behaviour${across}`], this[`behaviour${up}`]];
    const [horizontal, vertical] = [this.dimensions[across], this.dimensions[up]];
    this.bounds = [horizontal.low, vertical.low, horizontal.high, vertical.high];
    this.axes = [horizontal.name, vertical.name];
  }

  /** How many individuals were evaluated by a number of evaluations. */
  evaluatedBy(moment) {
    if (moment >= this.evaluations) return this.count;
    return Math.min(Math.ceil(Math.floor(moment) / this.stride), this.count);
  }

  /** The number of evaluations up to and including an individual. */
  evaluation(number) {
    return Math.min(number * this.stride + 1, this.evaluations);
  }

  /** The individual that moves the clock to a moment. */
  individualAt(moment) {
    return Math.max(this.evaluatedBy(moment) - 1, 0);
  }

  /** The place in the list of generations of an individual's generation. */
  generationOf(number) {
    let low = 0;
    let high = this.first.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.first[middle] <= number) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The end of a generation in the list of individuals. */
  generationEnd(generation) {
    return generation + 1 < this.first.length ? this.first[generation + 1] : this.count;
  }

  /** The latest memory of the strategy by a generation, as a place in the list of memories. */
  memoryOf(generation) {
    let place = Math.min(generation, this.memoryAt.length - 1);
    while (place > 0 && this.memoryAt[place] > generation) place--;
    return place;
  }

  /** The first parent, its first parent and so on, the nearest first. */
  firstParents(number) {
    const lineage = [];
    for (let parent = this.firstParent[number]; parent !== NONE; parent = this.firstParent[parent]) lineage.push(parent);
    return lineage;
  }

  /** All ancestors of an individual. */
  ancestors(number) {
    const found = new Set();
    const waiting = [number];
    while (waiting.length) {
      const child = waiting.pop();
      for (const parent of [this.firstParent[child], this.secondParent[child]]) {
        if (parent !== NONE && !found.has(parent)) {
          found.add(parent);
          waiting.push(parent);
        }
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  /** The thinned trajectory of a robot as [x, y] pairs from the start, null if there is none. */
  trajectory(number) {
    if (this.bestTrail && number === (this.solution ?? this.best[this.count - 1])) return this.bestTrail;
    if (!this.trails) return null;
    const [left, top, right, bottom] = this.bounds;
    const points = [this.maze.start];
    let [across, down] = [0, 0]; // of 255, modulo 256
    for (let k = 0; k < this.trailPoints - 1; k++) {
      const place = 2 * (number * this.trailPoints + k);
      across = (across + this.trails[place]) & 255;
      down = (down + this.trails[place + 1]) & 255;
      points.push([left + (across / 255) * (right - left), top + (down / 255) * (bottom - top)]);
    }
    points.push([this.x[number], this.y[number]]);
    return points;
  }

  /** The quality of an individual from 0, the worst of the run, to 1, the best. */
  relativeQuality(number) {
    const [low, high] = this.qualityRange;
    const fraction = (this.quality[number] - low) / (high - low || 1);
    return this.smaller ? 1 - fraction : fraction;
  }

  /** Whether a quality is better than another. */
  isBetter(quality, other) {
    return this.smaller ? quality < other : quality > other;
  }
}

/** One range of qualities for runs with the same measure, so that colours compare. */
export function shareQualityRange(runs) {
  if (runs.some(({ measure }) => measure !== runs[0].measure)) return;
  const ranges = runs.map(({ qualityRange }) => qualityRange);
  const common = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
  for (const run of runs) run.qualityRange = common;
}

function range(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

function bestSoFar(quality, smaller) {
  const best = new Int32Array(quality.length);
  for (let number = 1; number < quality.length; number++) {
    const before = best[number - 1];
    const better = smaller ? quality[number] < quality[before] : quality[number] > quality[before];
    best[number] = better ? number : before;
  }
  return best;
}

/** For each individual the fraction of its generation with a lower score: scores of two generations do not compare. */
function ranks(score, first) {
  const rank = new Float32Array(score.length).fill(NaN);
  for (let generation = 0; generation < first.length; generation++) {
    const end = generation + 1 < first.length ? first[generation + 1] : score.length;
    const order = [];
    for (let number = first[generation]; number < end; number++) if (!Number.isNaN(score[number])) order.push(number);
    order.sort((a, b) => score[a] - score[b]);
    order.forEach((number, place) => (rank[number] = order.length > 1 ? place / (order.length - 1) : 1));
  }
  return rank;
}

function starts(counts) {
  const sums = new Int32Array(counts.length + 1);
  for (let place = 0; place < counts.length; place++) sums[place + 1] = sums[place] + counts[place];
  return sums;
}
