// The page's data: unpacks the arrays of each run and answers simple questions about them.

const NOBODY = -1;
const MISSING = 65535; // stands for a number that is not there

export async function loadRuns() {
  const page = JSON.parse(document.getElementById("description").textContent);
  return Promise.all(
    page.runs.map(async (description, index) => {
      const text = document.getElementById(`arrays-${index}`).textContent;
      return new Run(description, readArrays(description.arrays, await unpack(text)), index);
    }),
  );
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

function readArrays(table, buffer) {
  const types = { Int8Array, Uint8Array, Uint16Array, Int32Array, Float32Array };
  const arrays = {};
  let offset = 0;
  for (const [name, { type, length, low, high }] of Object.entries(table)) {
    const found = new types[type](buffer, offset, length);
    offset += Math.ceil(found.byteLength / 4) * 4;
    arrays[name] = low === undefined ? found : measured(found, low, high);
  }
  return arrays;
}

function measured(steps, low, high) {
  const scale = (high - low) / (MISSING - 1);
  return Float32Array.from(steps, (step) => (step === MISSING ? NaN : low + step * scale));
}

export class Run {
  constructor(description, arrays, index) {
    Object.assign(this, description, arrays);
    this.index = index;
    this.noun = this.maze ? "robot" : "individual";
    this.firstParent = this.firstParent.map((before, number) => (before ? number - before : NOBODY));
    this.secondParent = this.secondParent.map((before, number) => (before ? number - before : NOBODY));
    this.generationSize = this.first.length > 1 ? this.first[1] : this.offspring;
    this.best = bestSoFar(this.quality, this.smaller);
    this.rank = ranks(this.score, this.first);
    this.riverStart = starts(this.riverCount);
    this.centroidsStart = starts(this.centroidsCount);
    this.predictionsStart = starts(this.predictionsCount);
    this.occupiedStart = starts(this.occupiedCount);
    this.robotAt = new Map(Array.from(this.robots, (number, place) => [number, place]));
    this.moveStart = starts(this.robotSteps);
    this.linkStart = starts(this.robotLinks);
    this.hasSpecies = this.riverSpecies.length > 0;
    this.hasScores = this.score.some((score) => !Number.isNaN(score));
    this.hasParents = this.firstParent.some((number) => number !== NOBODY);
    this.hasExpected = this.centroidsX.length + this.predictionsX.length > 0;
    this.hasArchive = this.archiveX.length > 0;
  }

  /** How many were born by a moment, a number of evaluations. */
  bornBy(moment) {
    return Math.min(Math.floor(moment), this.offspring);
  }

  /** The position in the list of generations of a birth's generation. */
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

  /** The first parent, its first parent and so on, the nearest first. */
  firstParents(number) {
    const line = [];
    for (let one = this.firstParent[number]; one !== NOBODY; one = this.firstParent[one]) line.push(one);
    return line;
  }

  /** All ancestors of an individual. */
  ancestors(number) {
    const found = new Set();
    const waiting = [number];
    while (waiting.length) {
      const one = waiting.pop();
      for (const parent of [this.firstParent[one], this.secondParent[one]]) {
        if (parent !== NOBODY && !found.has(parent)) {
          found.add(parent);
          waiting.push(parent);
        }
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  /** The thinned way of a robot as [x, y] pairs from the start on, null where there is none. */
  trail(number) {
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

/** Of each birth the share of its generation that has a lower score: scores of different generations do not compare. */
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
