// modules: b0c4c2dfad51db05801555c886c439bd29dbc5b8bca96201f34dd3e7387336ab
(() => {
  // js/data.js
  var NONE = -1;
  var MISSING = 65535;
  function readDescription() {
    return JSON.parse(document.getElementById("description").textContent);
  }
  async function readBundle(index, arrays) {
    const text = document.getElementById(`arrays-${index}`).textContent;
    return readArrays(arrays, await unpack(text));
  }
  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }
  function readArrays(entries, buffer) {
    const types = { Int8Array, Uint8Array, Uint16Array, Int32Array, Float32Array };
    const arrays = {};
    let offset = 0;
    for (const [name, { type, length, low, high }] of Object.entries(entries)) {
      const stored = new types[type](buffer, offset, length);
      offset += Math.ceil(stored.byteLength / 4) * 4;
      arrays[name] = low === void 0 ? stored : measured(stored, low, high);
    }
    return arrays;
  }
  function measured(steps, low, high) {
    const scale = (high - low) / (MISSING - 1);
    return Float32Array.from(steps, (step) => step === MISSING ? NaN : low + step * scale);
  }
  var Run = class {
    /**
     * @param {object} description Title, dimensions, maze and so on, see page_data.py.
     * @param {object} arrays Typed arrays by name.
     * @param {number} index Place of the run on the page.
     */
    constructor(description, arrays, index) {
      Object.assign(this, description, arrays);
      this.index = index;
      this.stride = description.stride || 1;
      this.count = this.quality.length;
      this.noun = this.maze ? "robot" : "individual";
      this.firstParent = this.firstParent.map((distance2, number) => distance2 ? number - distance2 : NONE);
      this.secondParent = this.secondParent.map((distance2, number) => distance2 ? number - distance2 : NONE);
      this.generationSize = this.first.length > 1 ? this.first[1] * this.stride : this.evaluations;
      this.best = bestSoFar(this.quality, this.smaller);
      this.rank ||= ranks(this.score, this.first);
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
        const middle = low + high >> 1;
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
      const found = /* @__PURE__ */ new Set();
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
      let [across, down] = [0, 0];
      for (let k = 0; k < this.trailPoints - 1; k++) {
        const place = 2 * (number * this.trailPoints + k);
        across = across + this.trails[place] & 255;
        down = down + this.trails[place + 1] & 255;
        points.push([left + across / 255 * (right - left), top + down / 255 * (bottom - top)]);
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
  };
  function shareQualityRange(runs) {
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
  function ranks(score, first) {
    const rank = new Float32Array(score.length).fill(NaN);
    for (let generation = 0; generation < first.length; generation++) {
      const end = generation + 1 < first.length ? first[generation + 1] : score.length;
      const order = [];
      for (let number = first[generation]; number < end; number++) if (!Number.isNaN(score[number])) order.push(number);
      order.sort((a, b) => score[a] - score[b]);
      order.forEach((number, place) => rank[number] = order.length > 1 ? place / (order.length - 1) : 1);
    }
    return rank;
  }
  function starts(counts) {
    const sums = new Int32Array(counts.length + 1);
    for (let place = 0; place < counts.length; place++) sums[place + 1] = sums[place] + counts[place];
    return sums;
  }

  // js/batch.js
  var EMPTY = ["riverSpecies", "riverSize", "occupied", "archiveFrom", "archiveTo", "centroids0", "centroids1", "predictions0", "predictions1", "archive0", "archive1", "robots", "robotSteps", "robotLinks"];
  var PER_INDIVIDUAL = ["firstParent", "secondParent", "size"];
  var PER_GENERATION = ["riverCount", "centroidsCount", "predictionsCount", "occupiedCount", "threshold"];
  var WITHOUT_REPEAT = "This overview was made from records, which contain neither species nor predictions. To include them, make the overview with --repeat (repeat=True in Python), or make a page of this run alone.";
  var Batch = class _Batch {
    /** @param {object} description See _batch.py. @param {object} arrays */
    constructor(description, arrays) {
      Object.assign(this, description, arrays);
      this.bounds = [this.dimensions[0].low, this.dimensions[1].low, this.dimensions[0].high, this.dimensions[1].high];
      const starts2 = (counts) => counts.reduce((sums, length) => [...sums, sums[sums.length - 1] + length], [0]);
      for (const name of ["point", "curve", "trail", "stone"]) this[`${name}Start`] = starts2(Array.from(this[`${name}Count`]));
      this.cells = this.shape[0] * this.shape[1];
      this.limit = Math.max(...this.groups.map(({ budget }) => budget));
      this.runs.forEach((run, index) => Object.assign(run, { index }));
      this.hasStones = this.stoneX.length > 0;
      this.anySolved = this.runs.some(({ solved }) => solved);
    }
    static async read(description) {
      return new _Batch(description, await readBundle(0, description.arrays));
    }
    /** Part of an array that belongs to a run. */
    part(name, suffix, index) {
      return this[`${name}${suffix}`].subarray(this[`${name}Start`][index], this[`${name}Start`][index + 1]);
    }
    /** Runs by outcome: solved ones by evaluations, then the others by their best quality. */
    byOutcome(shown) {
      const better = (a, b) => this.smaller ? a.best - b.best : b.best - a.best;
      return this.runs.filter(({ group }) => shown.has(group)).sort((a, b) => b.solved - a.solved || (a.solved ? a.evaluations - b.evaluations : better(a, b)) || a.seed - b.seed);
    }
    /** The group of a run. */
    groupOf({ group }) {
      return this.groups.find(({ name }) => name === group);
    }
    /**
     * Values of the cells over the runs of some groups.
     * @param {"runs"|"visits"|"final"|"stones"} kind
     * @returns {{values: Float64Array, runs: number}} Runs that visited a cell, all visits, visits at the end of the
     *   runs, or runs whose solution has an ancestor in the cell; and the number of runs.
     */
    cellValues(kind, shown) {
      const values = new Float64Array(this.cells);
      const runs = this.runs.filter((run) => shown.has(run.group) && (kind !== "stones" || this.stoneCount[run.index]));
      for (const { index } of runs) {
        if (kind === "stones") {
          for (const cell of this.stoneCells(index)) values[cell]++;
          continue;
        }
        const source = kind === "final" ? this.finalVisits : this.visits;
        for (let cell = 0; cell < this.cells; cell++) {
          const visits = source[index * this.cells + cell];
          values[cell] += kind === "runs" ? visits > 0 : visits;
        }
      }
      return { values, runs: runs.length };
    }
    /** Cells in blocks of two by two with an ancestor of the solution of a run; the solution itself is none. */
    stoneCells(index) {
      const [x, y] = [this.part("stone", "X", index), this.part("stone", "Y", index)];
      const [columns, rows] = this.shape;
      const found = /* @__PURE__ */ new Set();
      for (let k = 0; k < x.length - 1; k++) {
        const cell = this.cellOf(x[k], y[k]);
        const [column, row] = [2 * Math.floor(cell % columns / 2), 2 * Math.floor(cell / columns / 2)];
        for (const [across, down] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
          if (column + across < columns && row + down < rows) found.add((row + down) * columns + column + across);
        }
      }
      return found;
    }
    /** The cell of a behaviour. */
    cellOf(x, y) {
      const column = Math.min(Math.max(Math.floor((x - this.bounds[0]) / this.cellSize[0]), 0), this.shape[0] - 1);
      const row = Math.min(Math.max(Math.floor((y - this.bounds[1]) / this.cellSize[1]), 0), this.shape[1] - 1);
      return row * this.shape[0] + column;
    }
    /** Quartiles of the best quality so far over the runs of a group. */
    quartiles(group, points = 60) {
      const members2 = this.runs.filter((run) => run.group === group);
      const x = Array.from({ length: points + 1 }, (_, k) => k * this.limit / points);
      const [low, high, median] = [[], [], []];
      for (const moment of x) {
        const values = members2.map(({ index }) => this.bestAt(index, moment)).sort((a, b) => a - b);
        const at = (fraction) => quantile(values, fraction);
        low.push(at(0.25));
        median.push(at(0.5));
        high.push(at(0.75));
      }
      return { x, low, high, median };
    }
    /** The best quality of a run by a number of evaluations. */
    bestAt(index, moment) {
      const [x, y] = [this.part("curve", "X", index), this.part("curve", "Y", index)];
      let value = y[0];
      for (let k = 0; k < x.length && x[k] <= moment; k++) value = y[k];
      return value;
    }
    /** A run as the application of single runs shows it; its behaviours are thinned. */
    async run(index, place) {
      const summary = this.runs[index];
      const arrays = this.arraysOf(index);
      if (summary.detail) Object.assign(arrays, await readBundle(1 + index, summary.detail));
      const run = new Run(this.describe(summary, this.groupOf(summary), this.pointCount[index]), arrays, place);
      const pairs = (name) => Array.from(this.part(name, "X", index), (x, k) => [x, this.part(name, "Y", index)[k]]);
      const [trail, stones] = [pairs("trail"), pairs("stone")];
      if (!summary.detail) run.withoutRepeat = WITHOUT_REPEAT;
      run.remark = thinning(run);
      return Object.assign(run, { reference: this.quartiles(summary.group), bestTrail: trail.length ? trail : null, stones, generationSize: summary.population });
    }
    /** The arrays of a run that was not repeated: behaviours and qualities, but no species and no memory. */
    arraysOf(index) {
      const { evaluations, population, stride } = this.runs[index];
      const count2 = this.pointCount[index];
      const generations = Math.ceil(evaluations / population);
      const zeros = (names, length) => Object.fromEntries(names.map((name) => [name, new Int32Array(length)]));
      return {
        ...zeros(EMPTY, 0),
        ...zeros(PER_INDIVIDUAL, count2),
        ...zeros(PER_GENERATION, generations),
        score: new Float32Array(count2).fill(NaN),
        species: new Int32Array(count2).fill(-1),
        behaviour0: this.part("point", "X", index),
        behaviour1: this.part("point", "Y", index),
        quality: this.part("point", "Quality", index),
        first: Int32Array.from({ length: generations }, (_, k) => Math.ceil(k * population / stride)),
        generation: Int32Array.from({ length: generations }, (_, k) => k)
      };
    }
    describe(summary, group, count2) {
      const members2 = this.byOutcome(/* @__PURE__ */ new Set([summary.group]));
      const place = members2.indexOf(summary) + 1;
      const solved = members2.filter((run) => run.solved).length;
      const outcome = summary.solved ? `solved after ${summary.evaluations.toLocaleString("en-GB")} evaluations` : "not solved";
      return {
        title: `${group.title}, seed ${summary.seed}`,
        searchName: group.title,
        facts: `${outcome}; place ${place} of ${members2.length} by outcome, ${solved} of which solved`,
        search: summary.search,
        sentence: group.sentence,
        settings: [["seed", String(summary.seed)], ["place", `${place} of ${members2.length}`]],
        evaluations: summary.evaluations,
        dimensions: this.dimensions,
        plane: [0, 1],
        measure: this.measure,
        smaller: this.smaller,
        solution: summary.solved ? count2 - 1 : null,
        remark: "",
        maze: this.maze,
        background: this.background,
        backgroundPlane: [0, 1],
        images: {},
        roles: [],
        stride: summary.stride
      };
    }
  };
  function quantile(values, fraction) {
    const place = fraction * (values.length - 1);
    const low = Math.floor(place);
    const high = Math.min(low + 1, values.length - 1);
    return values[low] + (values[high] - values[low]) * (place - low);
  }
  function thinning(run) {
    const parts = [];
    if (run.stride > 1) parts.push(`every ${ordinal(run.stride)} evaluation`);
    const memories = run.memoryAt.length;
    if ((run.hasPredictions || run.hasArchive) && memories < run.first.length) parts.push(`the memory of the search in ${memories} of ${run.first.length} generations`);
    return parts.length ? `The overview has ${parts.join(", and ")}. A page of this run alone has all of it.` : "";
  }
  function ordinal(number) {
    const ending = { 1: "st", 2: "nd", 3: "rd" }[number % 10];
    return `${number}${Math.floor(number / 10) % 10 === 1 || !ending ? "th" : ending}`;
  }

  // js/drive.js
  var INPUTS = 11;
  var OUTPUTS = 2;
  var INPUT_NAMES = [
    "bias",
    "left",
    "half left",
    "ahead",
    "half right",
    "right",
    "behind",
    "goal ahead",
    "goal right",
    "goal behind",
    "goal left"
  ];
  var OUTPUT_NAMES = ["turn", "speed"];
  var RAYS = [-90, -45, 0, 45, 90, 180];
  var REACH = 100;
  var REAR = 6;
  var WARM_UP = 10;
  var SLOPE = 4.924273;
  var RELAXED = 19;
  function sense(maze, x, y, heading) {
    const inputs = new Float64Array(INPUTS);
    inputs[0] = 1;
    RAYS.forEach((angle, ray) => {
      const towards = (heading + angle) * Math.PI / 180;
      inputs[1 + ray] = distance(maze.walls, x, y, Math.cos(towards), Math.sin(towards)) / REACH;
    });
    const bearing = Math.atan2(maze.goal[1] - y, maze.goal[0] - x) * 180 / Math.PI - heading;
    inputs[7 + (Math.floor((bearing + 45) / 90) & 3)] = 1;
    return inputs;
  }
  function asRead(readings, robot) {
    if (robot !== "five-rangefinder") return readings;
    const inputs = new Float64Array(INPUTS);
    inputs.set(readings.subarray(0, REAR));
    inputs.set(readings.subarray(REAR + 1), REAR);
    return inputs;
  }
  function distance(walls, x, y, cosine, sine) {
    let nearest = REACH;
    for (const [x1, y1, x2, y2] of walls) {
      const [alongX, alongY] = [x2 - x1, y2 - y1];
      const across = cosine * alongY - sine * alongX;
      if (across === 0) continue;
      const ahead = ((x1 - x) * alongY - (y1 - y) * alongX) / across;
      const fraction = ((x1 - x) * sine - (y1 - y) * cosine) / across;
      if (ahead > 0 && ahead < nearest && fraction >= 0 && fraction <= 1) nearest = ahead;
    }
    return nearest;
  }
  var Drive = class {
    constructor(run, number) {
      const place = run.robotAt.get(number);
      this.role = run.roles[place];
      this.steps = run.robotSteps[place];
      this.links = [];
      for (let link = run.linkStart[place]; link < run.linkStart[place + 1]; link++) {
        this.links.push({ source: run.linkSource[link], target: run.linkTarget[link], weight: run.linkWeight[link] });
      }
      this.poses = posesOf(run, place, this.steps);
      this.senses = this.poses.map(([x, y, heading]) => sense(run.maze, x, y, heading));
      this.inputs = this.senses.map((readings) => asRead(readings, run.maze.robot));
      this.inputNames = run.maze.robot === "five-rangefinder" ? [...INPUT_NAMES.toSpliced(REAR, 1), "nothing"] : INPUT_NAMES;
      this.nodes = nodesOf(this.links);
      this.silent = new Set(run.maze.silence_unreached ? unreached(this.nodes, this.links) : []);
      this.activations = this.think();
    }
    /** The activation of every node by its id, in each step. */
    think() {
      let before = new Map(this.nodes.map((node) => [node, 0]));
      const all = [];
      const outputs = this.nodes.slice(INPUTS, INPUTS + OUTPUTS);
      const passes = outputs.some((node) => this.silent.has(node)) ? RELAXED : 1;
      for (let step = 0; step < this.steps; step++) {
        for (let pass = 0; pass < passes * (step ? 1 : WARM_UP + 1); pass++) {
          this.inputs[step].forEach((value, input) => before.set(input, value));
          const sums = new Map(this.nodes.slice(INPUTS).map((node) => [node, 0]));
          for (const { source, target, weight } of this.links) {
            sums.set(target, sums.get(target) + weight * before.get(source));
          }
          const after = new Map(before);
          for (const [node, sum] of sums) after.set(node, this.silent.has(node) ? 0 : 1 / (1 + Math.exp(-SLOPE * sum)));
          before = after;
        }
        all.push(before);
      }
      all.push(before);
      return all;
    }
  };
  function posesOf(run, place, steps) {
    let [x, y] = run.maze.start.map((part) => Math.round(part * run.grid));
    let heading = Math.round(run.maze.heading * run.grid);
    const poses = [[x / run.grid, y / run.grid, heading / run.grid]];
    for (let move = run.moveStart[place]; move < run.moveStart[place] + steps; move++) {
      x += run.moveX[move];
      y += run.moveY[move];
      heading += run.moveHeading[move];
      poses.push([x / run.grid, y / run.grid, heading / run.grid]);
    }
    return poses;
  }
  function unreached(nodes, links) {
    const reached = new Set(nodes.slice(0, INPUTS));
    for (let before = 0; before < reached.size; ) {
      before = reached.size;
      for (const { source, target } of links) if (reached.has(source)) reached.add(target);
    }
    return nodes.filter((node) => !reached.has(node));
  }
  function nodesOf(links) {
    const fixed = Array.from({ length: INPUTS + OUTPUTS }, (_, node) => node);
    const hidden = new Set(links.flatMap(({ source, target }) => [source, target]).filter((node) => node >= fixed.length));
    return [...fixed, ...[...hidden].sort((a, b) => a - b)];
  }

  // js/canvas.js
  function prepare(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.max(canvas.clientWidth, 1), Math.max(canvas.clientHeight, 1)];
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height, ratio };
  }
  var Plane = class {
    /**
     * @param {number[]} bounds xmin, ymin, xmax, ymax.
     * @param {number} width Of the canvas, CSS pixels.
     * @param {number} height Of the canvas, CSS pixels.
     * @param {boolean} maze Whether the plane is a maze.
     * @param {{left: number, right: number, top: number, bottom: number}} margins Pixels outside the plane.
     * @param {{x: number, y: number, zoom: number}} view Centre as fractions of the bounds, and magnification.
     */
    constructor([left, top, right, bottom], width, height, maze, margins, view = { x: 0.5, y: 0.5, zoom: 1 }) {
      const roomX = width - margins.left - margins.right;
      const roomY = height - margins.top - margins.bottom;
      const across = roomX / (right - left);
      const down = roomY / (bottom - top);
      const equal = maze || Math.abs(right - left - (bottom - top)) < 1e-9 * (right - left);
      this.scaleX = (equal ? Math.min(across, down) : across) * view.zoom;
      this.scaleY = (equal ? this.scaleX : down * view.zoom) * (maze ? 1 : -1);
      this.offsetX = margins.left + roomX / 2 - this.scaleX * (left + view.x * (right - left));
      this.offsetY = margins.top + roomY / 2 - this.scaleY * (top + view.y * (bottom - top));
      this.box = [margins.left, margins.top, width - margins.right, height - margins.bottom];
      this.bounds = [left, top, right, bottom];
    }
    /** @param {number} x A behaviour's first coordinate. @returns {number} Pixels. */
    x(x) {
      return this.offsetX + this.scaleX * x;
    }
    /** @param {number} y A behaviour's second coordinate. @returns {number} Pixels. */
    y(y) {
      return this.offsetY + this.scaleY * y;
    }
    /** The behaviour at a pixel. */
    behaviour(x, y) {
      return [(x - this.offsetX) / this.scaleX, (y - this.offsetY) / this.scaleY];
    }
  };
  function disc(context, x, y, radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  function line(context, points) {
    context.beginPath();
    points.forEach(([x, y], place) => place ? context.lineTo(x, y) : context.moveTo(x, y));
    context.stroke();
  }
  function diamond(context, x, y, radius) {
    polygon(context, [[x, y - radius], [x + radius, y], [x, y + radius], [x - radius, y]]);
  }
  function triangle(context, x, y, radius) {
    polygon(context, [[x, y - radius], [x + 0.95 * radius, y + 0.75 * radius], [x - 0.95 * radius, y + 0.75 * radius]]);
  }
  function square(context, x, y, half) {
    context.beginPath();
    context.rect(x - half, y - half, 2 * half, 2 * half);
  }
  function star(context, x, y, radius) {
    const corners = Array.from({ length: 10 }, (_, corner) => {
      const angle = (corner / 5 - 0.5) * Math.PI;
      const reach = corner % 2 ? radius * 0.45 : radius;
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
    });
    polygon(context, corners);
  }
  function polygon(context, corners) {
    context.beginPath();
    corners.forEach(([x, y], place) => place ? context.lineTo(x, y) : context.moveTo(x, y));
    context.closePath();
  }
  function label(context, text, x, y, gap, colour, halo, box, plate = false) {
    if (x < box[0] - gap || x > box[2] + gap || y < box[1] - gap || y > box[3] + gap) return;
    context.font = "600 11px system-ui, sans-serif";
    const width = context.measureText(text).width;
    const left = x + gap + width > box[2] ? Math.max(x - gap - width, box[0]) : x + gap;
    const base = Math.min(Math.max(y + 4, box[1] + 10), box[3] - 3);
    if (plate) {
      context.fillStyle = halo;
      context.globalAlpha = 0.85;
      context.fillRect(left - 3, base - 11, width + 6, 15);
      context.globalAlpha = 1;
    }
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = halo;
    context.strokeText(text, left, base);
    context.fillStyle = colour;
    context.fillText(text, left, base);
  }
  function ticks(low, high, most) {
    const span = high - low;
    if (!(span > 0) || most < 1) return [];
    const rough = span / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step || 0);
    return found;
  }
  function count(number) {
    return Math.round(number).toLocaleString("en-GB");
  }
  function figure(number) {
    if (number === null || number === void 0 || Number.isNaN(number)) return "none";
    return Math.abs(number) >= 1e3 ? count(number) : String(Number(Number(number).toPrecision(3)));
  }

  // js/clock.js
  var SPEEDS = [0.5, 1, 2, 5, 10, 20, 40];
  var Clock = class {
    /** @param {number} limit Evaluations of the longest run. @param {number} generationSize Evaluations per generation. */
    constructor(limit, generationSize) {
      this.limit = limit;
      this.generationSize = generationSize;
      this.moment = limit;
      this.speed = 5;
      this.playing = false;
    }
    /** Advance by some seconds of playing; stops at the end. */
    pass(seconds) {
      if (!this.playing) return;
      this.seek(this.moment + seconds * this.speed * this.generationSize);
      if (this.moment >= this.limit) this.playing = false;
    }
    seek(moment) {
      this.moment = Math.min(Math.max(moment, 1), this.limit);
    }
    /** Play or pause; at the end, play from the start. */
    toggle() {
      if (!this.playing && this.moment >= this.limit) this.moment = 1;
      this.playing = !this.playing;
    }
    faster(places) {
      const place = SPEEDS.indexOf(this.speed) + places;
      this.speed = SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)];
    }
  };

  // js/element.js
  function element(tag, attributes = {}, ...children) {
    const created = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) created.addEventListener(name.slice(2), value);
      else if (value !== false && value !== null && value !== void 0) created.setAttribute(name, value === true ? "" : value);
    }
    created.append(...children);
    return created;
  }
  function button(text, onclick, attributes = {}) {
    return element("button", { type: "button", onclick, ...attributes }, text);
  }
  function setText(target, text) {
    if (target.textContent !== text) target.textContent = text;
  }
  function download(name, content) {
    const url = URL.createObjectURL(content);
    const link = element("a", { download: name });
    link.href = url;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1e4);
  }
  var SHAPES = {
    point: '<circle cx="7" cy="7" r="4" fill="currentColor"/>',
    centroid: '<rect x="4" y="4" width="6" height="6" fill="var(--ink)"/>',
    before: '<circle cx="7" cy="7" r="2.2" fill="var(--soft)"/>',
    arrow: '<path d="M1 7h9M8 4l4 3-4 3" fill="none" stroke="var(--ink)" stroke-width="1.4"/>',
    prediction: '<path d="M7 2l5 5-5 5-5-5z" fill="var(--prediction)"/>',
    empty: '<path d="M7 2.5l4.5 4.5-4.5 4.5-4.5-4.5z" fill="none" stroke="var(--prediction)" stroke-width="1.5"/>',
    archive: '<path d="M7 2.5l4.5 8.5h-9z" fill="none" stroke="var(--archive)" stroke-width="1.6"/>',
    threshold: '<circle cx="7" cy="7" r="6" fill="var(--archive)" opacity=".22"/>',
    ancestor: '<path d="M0 7h14" stroke="var(--ink)" stroke-dasharray="3 2"/><circle cx="7" cy="7" r="3.6" fill="var(--panel)" stroke="var(--ink)" stroke-width="1.4"/>',
    start: '<circle cx="7" cy="7" r="4.5" fill="var(--ink)"/>',
    goal: '<circle cx="7" cy="7" r="4.5" fill="none" stroke="var(--goal)" stroke-width="2"/>',
    trajectory: '<path d="M1 10c4-8 7 4 12-6" fill="none" stroke="var(--trajectory)" stroke-width="2"/>',
    solution: '<path d="M7 1l1.7 4.2 4.5.3-3.4 3 1 4.4L7 10.5l-3.8 2.4 1-4.4-3.4-3 4.5-.3z" fill="var(--goal)"/>'
  };
  function mark(shape, text, colour = "inherit") {
    const icon = element("span", { class: "mark", style: `color:${colour}`, "aria-hidden": "true" });
    icon.innerHTML = `<svg viewBox="0 0 14 14" width="14" height="14">${SHAPES[shape]}</svg>`;
    return element("span", { class: "meaning" }, icon, text);
  }
  function lineSample(dash) {
    const sample = element("span", { class: "sample", "aria-hidden": "true" });
    const stroke = `stroke="currentColor" stroke-width="2.4" stroke-dasharray="${dash.join(" ")}"`;
    sample.innerHTML = `<svg viewBox="0 0 22 8" width="22" height="8"><path d="M0 4h22" ${stroke}/></svg>`;
    return sample;
  }
  function table(head, rows, attributes = {}) {
    return element(
      "table",
      attributes,
      element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", { scope: "col" }, cell)))),
      element("tbody", {}, ...rows)
    );
  }

  // js/drawer.js
  var TABS = ["run", "individual", "species", "predictions"];
  var LEAST = 260;
  var SHEETS = [0, 0.42, 0.82];
  var Drawer = class {
    /** @param {HTMLElement} root @param {{title: string}[]} runs @param {object} views Views by tab. @param {object} actions */
    constructor(root, runs, actions) {
      Object.assign(this, { root, actions });
      this.handle = element("div", { class: "handle", role: "separator", tabindex: 0, "aria-valuenow": 0, "aria-label": "Resize the drawer" });
      this.tabs = TABS.map(
        (name) => button(name[0].toUpperCase() + name.slice(1), () => this.open(name), { role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}` })
      );
      this.panes = Object.fromEntries(
        TABS.map((name) => [name, element("div", { class: "pane", role: "tabpanel", id: `pane-${name}`, "aria-labelledby": `tab-${name}`, hidden: true })])
      );
      this.picker = element("div", { class: "picker", role: "group", "aria-label": "Run" });
      root.replaceChildren(this.handle, element("div", { class: "tabs", role: "tablist" }, ...this.tabs), this.picker, element("div", { class: "panes" }, ...Object.values(this.panes)));
      this.setRuns(runs);
      this.setSheet(0);
      this.listen();
      new ResizeObserver(() => this.describeSize()).observe(root);
    }
    /** Give screen readers the size of the drawer as a percentage of the page. */
    describeSize() {
      const [size, page] = isPhone() ? [this.root.offsetHeight, window.innerHeight] : [this.root.offsetWidth, window.innerWidth];
      this.handle.setAttribute("aria-valuenow", Math.round(100 * size / page));
      this.handle.setAttribute("aria-orientation", isPhone() ? "horizontal" : "vertical");
    }
    setRuns(runs) {
      this.choices = runs.length > 1 ? runs.map((run, index) => button(run.title, () => this.actions.focusOn(index))) : [];
      this.picker.replaceChildren(...this.choices);
      this.picker.hidden = !this.choices.length;
    }
    draw(state) {
      this.tabs.forEach((tab, place) => {
        tab.setAttribute("aria-selected", TABS[place] === state.tab);
        this.panes[TABS[place]].hidden = TABS[place] !== state.tab;
      });
      this.choices.forEach((choice, index) => choice.setAttribute("aria-pressed", index === state.focus));
      if (state.run !== null) this.picker.hidden = !this.choices.length || state.tab === "individual" && state.individual !== null;
    }
    open(name) {
      if (isPhone() && this.sheet === 0) this.setSheet(1);
      this.actions.openTab(name);
    }
    /** Show the drawer if it is closed, as on a phone after a tap on a point. */
    reveal() {
      if (isPhone() && this.sheet === 0) this.setSheet(1);
    }
    listen() {
      const { handle } = this;
      let start2 = null;
      handle.addEventListener("pointerdown", (event) => {
        handle.setPointerCapture(event.pointerId);
        start2 = { x: event.clientX, y: event.clientY, width: this.root.offsetWidth, height: this.root.offsetHeight, moved: false };
      });
      handle.addEventListener("pointermove", (event) => {
        if (!start2) return;
        start2.moved ||= Math.hypot(event.clientX - start2.x, event.clientY - start2.y) > 4;
        if (!start2.moved) return;
        if (isPhone()) this.setHeight(start2.height + start2.y - event.clientY);
        else this.setWidth(start2.width + start2.x - event.clientX);
      });
      handle.addEventListener("pointerup", () => {
        if (start2 && !start2.moved && isPhone()) this.setSheet((this.sheet + 1) % SHEETS.length);
        start2 = null;
      });
      handle.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: 24, ArrowRight: -24, ArrowUp: 24, ArrowDown: -24 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        if (isPhone()) this.setSheet(Math.min(Math.max(this.sheet + Math.sign(by), 0), SHEETS.length - 1));
        else this.setWidth(this.root.offsetWidth + by);
      });
    }
    setWidth(width) {
      const most = Math.max(window.innerWidth - 360, LEAST);
      document.documentElement.style.setProperty("--drawer", `${Math.min(Math.max(width, LEAST), most)}px`);
      this.actions.resize();
    }
    /** Set the height of the sheet in pixels; a closed sheet keeps its content from the keyboard. */
    raise(height) {
      document.documentElement.style.setProperty("--sheet", `${Math.round(height)}px`);
      this.root.classList.toggle("closed", height < 1);
    }
    setHeight(height) {
      const page = document.body.clientHeight;
      const fraction = Math.min(Math.max((height - 44) / page, 0), 0.85);
      this.sheet = fraction < 0.1 ? 0 : fraction < 0.6 ? 1 : 2;
      this.raise(fraction * page);
    }
    setSheet(place) {
      this.sheet = place;
      this.raise(SHEETS[place] * document.body.clientHeight);
    }
  };
  function isPhone() {
    return window.matchMedia("(max-width: 760px)").matches;
  }

  // js/permalink.js
  var COLOURS = ["species", "score", "quality"];
  var LAYERS = ["points", "density", "elites"];
  function toHash(state) {
    const parts = new URLSearchParams();
    parts.set("t", Math.floor(state.clock.moment));
    parts.set("colour", state.colour);
    if (state.layer !== "points") parts.set("layer", state.layer);
    if (state.memory) parts.set("memory", 1);
    if (state.tab !== defaultTab(state.individual !== null)) parts.set("tab", state.tab);
    if (state.focus) parts.set("focus", state.focus + 1);
    if (state.individual !== null) {
      parts.set("run", state.run + 1);
      parts.set("individual", state.individual + 1);
      if (state.lineage.tip !== state.individual) parts.set("of", state.lineage.tip + 1);
      if (state.drive) parts.set("step", state.step);
    }
    if (state.pinned) parts.set("species", `${state.pinned.run + 1}.${state.pinned.id}`);
    if (state.view.zoom > 1) parts.set("view", [state.view.x, state.view.y, state.view.zoom].map(short).join("_"));
    if (state.brush) parts.set("brush", [state.brush.run + 1, ...state.brush.box].map(short).join("_"));
    if (state.plane) parts.set("plane", state.plane.map((dimension) => dimension + 1).join("_"));
    parts.set("speed", state.clock.speed);
    if (state.theme !== "auto") parts.set("theme", state.theme);
    return `#${parts}`;
  }
  function defaultTab(hasIndividual) {
    return hasIndividual ? "individual" : "run";
  }
  function short(number) {
    return Number(number.toPrecision(5));
  }
  function fromHash(hash, runs, speeds) {
    const parts = new URLSearchParams(hash.slice(1));
    const integer = (name) => parts.has(name) ? Math.floor(Number(parts.get(name))) : NaN;
    const view = { memory: parts.get("memory") === "1" };
    if (integer("t") >= 1) view.moment = integer("t");
    if (COLOURS.includes(parts.get("colour"))) view.colour = parts.get("colour");
    view.layer = LAYERS.includes(parts.get("layer")) ? parts.get("layer") : "points";
    if (runs[integer("focus") - 1]) view.focus = integer("focus") - 1;
    if (speeds.includes(Number(parts.get("speed")))) view.speed = Number(parts.get("speed"));
    if (["light", "dark"].includes(parts.get("theme"))) view.theme = parts.get("theme");
    const run = runs[(integer("run") || 1) - 1];
    if (run && integer("individual") >= 1 && integer("individual") <= run.count) {
      view.run = run.index;
      view.individual = integer("individual") - 1;
      view.of = integer("of") >= 1 && integer("of") <= run.count ? integer("of") - 1 : view.individual;
      view.step = integer("step") >= 0 ? integer("step") : 0;
    }
    view.tab = TABS.includes(parts.get("tab")) ? parts.get("tab") : defaultTab(view.individual !== void 0);
    readRegions(parts, runs, view);
    return view;
  }
  function readRegions(parts, runs, view) {
    const numbers = (name, length) => {
      const found = (parts.get(name) || "").split("_").map(Number);
      return found.length === length && found.every(Number.isFinite) ? found : null;
    };
    const [x, y, zoom] = numbers("view", 3) || [0.5, 0.5, 1];
    view.view = zoom >= 1 && zoom <= 100 ? { x, y, zoom } : { x: 0.5, y: 0.5, zoom: 1 };
    const brush = numbers("brush", 5);
    view.brush = brush && runs[brush[0] - 1] ? { run: brush[0] - 1, box: brush.slice(1) } : null;
    const plane = numbers("plane", 2);
    view.plane = plane && plane.every((dimension) => runs[0].dimensions[dimension - 1]) ? plane.map((dimension) => dimension - 1) : null;
    const [species, id] = (parts.get("species") || "").split(".").map(Number);
    view.species = runs[species - 1] && runs[species - 1].species.includes(id) ? { run: species - 1, id } : null;
  }
  function writeHash(hash) {
    try {
      window.history.replaceState(null, "", hash);
    } catch {
      return false;
    }
    return true;
  }

  // js/theme.js
  function hostTheme() {
    if (window.parent === window) return null;
    try {
      const { documentElement: root, body } = window.parent.document;
      if (["light", "dark"].includes(root.dataset.theme)) return root.dataset.theme;
      if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "true" ? "light" : "dark";
      const [red, green, blue, alpha] = window.parent.getComputedStyle(body).backgroundColor.match(/[\d.]+/g).map(Number);
      if (alpha === 0) return null;
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110 ? "dark" : "light";
    } catch {
      return null;
    }
  }
  function followHost(change) {
    let told = null;
    const update = () => change(told || hostTheme());
    window.addEventListener("message", ({ data }) => {
      if (!data || !["light", "dark"].includes(data.explorerTheme)) return;
      told = data.explorerTheme;
      update();
    });
    try {
      const watched = { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light", "class", "style"] };
      const { documentElement: root, body } = window.parent.document;
      if (window.parent !== window) for (const target of [root, body]) new MutationObserver(update).observe(target, watched);
    } catch {
      window.parent.postMessage({ explorerReady: true }, "*");
    }
    update();
  }

  // js/controls.js
  var byId = (name) => document.getElementById(name);
  var THEMES = ["auto", "light", "dark"];
  var THEME_SIGNS = { auto: "◐", light: "☀", dark: "☾" };
  var Controls = class {
    constructor(explorer) {
      this.explorer = explorer;
      this.stops = new AbortController();
      this.build();
      this.listen();
      this.limit();
      followHost((theme) => {
        this.hostTheme = theme;
        this.setTheme(this.explorer.state.theme);
      });
    }
    dispose() {
      this.stops.abort();
    }
    build() {
      const { runs } = this.explorer;
      const names = { species: "species", score: "score", quality: runs[0].maze ? "distance to the goal" : runs[0].measure };
      byId("colour").replaceChildren(...this.explorer.colours().map((name) => element("option", { value: name }, names[name])));
      const layers = { points: "individuals", density: "visits per cell", elites: "best per cell" };
      byId("layer").replaceChildren(...LAYERS.map((name) => element("option", { value: name }, layers[name])));
      byId("speed").replaceChildren(...SPEEDS.map((speed) => element("option", { value: speed }, `${speed} gen/s`)));
      const [predictions, archive] = [runs.some((run) => run.hasPredictions), runs.some((run) => run.hasArchive)];
      byId("memory").hidden = !predictions && !archive;
      byId("memory").textContent = predictions && archive ? "Predictions, archive" : archive ? "Archive" : "Predictions";
      this.buildPlane(runs);
      byId("about").replaceChildren(
        ...runs.filter((run) => run.sentence).map((run) => element("p", {}, element("strong", {}, run.searchName || run.title), ` ${run.sentence}`))
      );
      const has = (name) => runs.some((run) => run[name]);
      byId("tab-species").hidden = !has("hasSpecies") && !has("withoutRepeat");
      byId("tab-predictions").hidden = !has("hasPredictions") && !has("hasArchive") && !has("withoutRepeat");
    }
    /** A picker of two behaviour dimensions where there are more. */
    buildPlane(runs) {
      const [run] = runs;
      byId("plane").hidden = run.dimensions.length <= 2 || runs.some((other) => other.dimensions.length !== run.dimensions.length);
      for (const name of ["across", "up"]) {
        byId(name).replaceChildren(...run.dimensions.map((dimension, place) => element("option", { value: place }, dimension.name)));
      }
    }
    /** The range of the clock. */
    limit() {
      byId("moment").max = this.explorer.clock.limit;
    }
    on(target, name, action) {
      target.addEventListener(name, action, { signal: this.stops.signal });
    }
    listen() {
      const { explorer } = this;
      const chosen = (id, action) => this.on(byId(id), "change", (event) => action(event.target.value));
      const clicked = (id, action) => this.on(byId(id), "click", action);
      clicked("play", () => explorer.togglePlay());
      this.on(byId("moment"), "input", (event) => explorer.seek(Number(event.target.value)));
      chosen("speed", (value) => {
        explorer.clock.speed = Number(value);
        explorer.change();
      });
      chosen("colour", (value) => explorer.set("colour", value));
      chosen("layer", (value) => explorer.set("layer", value));
      chosen("across", (value) => explorer.setPlane(Number(value), explorer.runs[0].plane[1]));
      chosen("up", (value) => explorer.setPlane(explorer.runs[0].plane[0], Number(value)));
      clicked("memory", () => explorer.toggle("memory"));
      clicked("theme", () => this.setTheme(THEMES[(THEMES.indexOf(explorer.state.theme) + 1) % THEMES.length]));
      clicked("help-button", () => byId("help").showModal());
      clicked("link", () => this.share());
      clicked("view-button", () => document.body.classList.toggle("view-open"));
      for (const kind of ["png", "svg", "csv"]) {
        clicked(`save-${kind}`, () => {
          explorer.export(kind);
          byId("export").open = false;
        });
      }
      this.on(window, "keydown", (event) => this.press(event));
      this.on(document, "click", (event) => {
        if (event.detail) event.target.closest("button, select, summary")?.blur();
        if (!event.target.closest("#export")) byId("export").open = false;
        if (!event.target.closest("#view, #view-button")) document.body.classList.remove("view-open");
      });
      this.on(window, "resize", () => explorer.resize());
      if (!explorer.prefix) this.on(window, "hashchange", () => explorer.apply(fromHash(window.location.hash, explorer.runs, SPEEDS)));
      this.on(window.matchMedia("(prefers-color-scheme: dark)"), "change", () => this.setTheme(explorer.state.theme));
    }
    setTheme(theme) {
      this.explorer.state.theme = theme;
      const shown = theme === "auto" ? this.hostTheme : theme;
      if (shown) document.documentElement.dataset.theme = shown;
      else delete document.documentElement.dataset.theme;
      this.explorer.palette.read();
      this.explorer.change();
    }
    press(event) {
      const { target } = event;
      const own = target.matches("select, #step, .handle") || target.matches("button, summary") && event.key === " " || byId("help").open;
      if (own || event.ctrlKey || event.metaKey || event.altKey) return;
      const { explorer } = this;
      const { clock } = explorer;
      const step = event.shiftKey ? 1 : clock.generationSize;
      const keys = {
        " ": () => explorer.togglePlay(),
        ArrowRight: () => explorer.seek(Math.floor(clock.moment) + step),
        ArrowLeft: () => explorer.seek(Math.floor(clock.moment) - step),
        ArrowUp: () => explorer.changeSpeed(1),
        ArrowDown: () => explorer.changeSpeed(-1),
        Home: () => explorer.seek(1),
        End: () => explorer.seek(clock.limit),
        c: () => explorer.nextColour(),
        l: () => explorer.nextLayer(),
        e: () => byId("memory").hidden || explorer.toggle("memory"),
        b: () => explorer.toggleBrush(),
        p: () => explorer.walk(-1),
        n: () => explorer.walk(1),
        d: () => explorer.toggleDrive(),
        0: () => explorer.setView({ x: 0.5, y: 0.5, zoom: 1 }),
        Escape: () => this.escape(),
        "?": () => byId("help").showModal()
      };
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    escape() {
      const { explorer } = this;
      if (explorer.state.brushing) explorer.toggleBrush();
      explorer.clearSelection();
      explorer.close();
    }
    async share() {
      writeHash(this.explorer.hash());
      try {
        await navigator.clipboard.writeText(window.location.href);
        setText(byId("link"), "Copied");
      } catch {
        setText(byId("link"), "See address bar");
      }
      setTimeout(() => setText(byId("link"), "Link"), 2e3);
    }
    draw(state) {
      const { clock, runs } = this.explorer;
      const moment = Math.floor(clock.moment);
      byId("moment").value = moment;
      byId("moment").setAttribute("aria-valuetext", `evaluation ${moment}`);
      setText(byId("now"), this.explorer.reading());
      setText(byId("play"), clock.playing ? "Pause" : "Play");
      byId("speed").value = clock.speed;
      byId("colour").value = state.colour;
      byId("layer").value = state.layer;
      byId("colour").disabled = state.layer !== "points";
      [byId("across").value, byId("up").value] = runs[0].plane;
      byId("memory").setAttribute("aria-pressed", state.memory);
      setText(byId("theme"), THEME_SIGNS[state.theme]);
      byId("theme").title = `Theme: ${state.theme === "auto" ? "as the page around it or the system" : state.theme}`;
    }
  };

  // js/chart.js
  var LEFT = 46;
  var RIGHT = 10;
  var STRIP = 15;
  var Chart = class {
    /**
     * @param {{name: string, height: string, limit: number, palette: Palette, seek: (moment: number) => void}} options
     */
    constructor({ name, height, limit, palette, seek }) {
      Object.assign(this, { name, limit, palette });
      this.top = name ? STRIP : 0;
      this.canvas = element("canvas", { class: `chart ${height}`, role: "img", "aria-label": name });
      this.whole = document.createElement("canvas");
      this.key = "";
      const move = (event) => event.buttons & 1 && seek(this.momentAt(event.offsetX));
      this.canvas.addEventListener("pointerdown", move);
      this.canvas.addEventListener("pointermove", move);
    }
    /** @param {number} moment @param {string} version Changes whenever the painted content does. */
    draw(moment, version = "") {
      const { context, width, height, ratio } = prepare(this.canvas);
      if (!width) return;
      this.width = width;
      this.paintWhole(width, height, ratio, version);
      const now = this.x(moment);
      context.globalAlpha = 0.3;
      context.drawImage(this.whole, 0, 0, width, height);
      context.globalAlpha = 1;
      context.save();
      context.beginPath();
      context.rect(0, 0, now, height);
      context.clip();
      context.clearRect(0, 0, now, height);
      context.drawImage(this.whole, 0, 0, width, height);
      context.restore();
      context.strokeStyle = this.palette.ink;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(Math.round(now) + 0.5, this.top);
      context.lineTo(Math.round(now) + 0.5, height);
      context.stroke();
      this.label(context, width, height);
    }
    x(evaluations) {
      return LEFT + evaluations / this.limit * (this.width - LEFT - RIGHT);
    }
    /** The moment at a place on the canvas. */
    momentAt(x) {
      return (x - LEFT) / (this.width - LEFT - RIGHT) * this.limit;
    }
    paintWhole(width, height, ratio, version) {
      const key = [width, height, ratio, this.palette.theme, this.limit, version].join();
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
    /** Write the scale, and the name above the content. */
    label(context, width, height) {
      const { soft, ink } = this.palette;
      context.font = "10px system-ui, sans-serif";
      context.fillStyle = soft;
      context.textAlign = "right";
      this.scale().forEach(([text, fraction]) => context.fillText(text, LEFT - 6, this.top + 9 + fraction * (height - this.top - 12)));
      context.textAlign = "start";
      if (!this.name) return;
      context.font = "600 10.5px system-ui, sans-serif";
      context.fillStyle = ink;
      context.fillText(this.name, LEFT, 11);
    }
    scale() {
      return [];
    }
  };
  var LineChart = class extends Chart {
    /** @param {object} options Those of Chart. @param {(run: Run) => {x: number[], y: number[]}[]} lines */
    constructor(options, lines) {
      super(options);
      this.lines = lines;
    }
    paint(context, height) {
      const lines = this.lines();
      const values = lines.flatMap(({ y, band }) => [...y, ...band ? [...band.low, ...band.high] : []]).filter(Number.isFinite);
      this.low = Math.min(...this.zero ? [0] : [], ...extent(values)[0]);
      this.high = extent(values)[1];
      if (!(this.high > this.low)) this.high = this.low + 1;
      const place = (value) => this.top + 3 + (1 - (value - this.low) / (this.high - this.low)) * (height - this.top - 7);
      for (const { band, colour } of lines) if (band) this.area(context, band, colour, place);
      for (const { x, y, colour, dash, step, width, alpha } of lines) {
        context.strokeStyle = colour;
        context.globalAlpha = alpha ?? 1;
        context.lineWidth = width || 1.7;
        context.lineJoin = "round";
        context.setLineDash(dash || []);
        context.beginPath();
        let before = null;
        x.forEach((evaluations, k) => {
          if (!Number.isFinite(y[k])) return;
          if (before === null) context.moveTo(this.x(evaluations), place(y[k]));
          else if (step) context.lineTo(this.x(evaluations), place(before));
          context.lineTo(this.x(evaluations), place(y[k]));
          before = y[k];
        });
        context.stroke();
        context.setLineDash([]);
        context.globalAlpha = 1;
      }
      for (const { marks, colour } of lines) {
        context.fillStyle = colour;
        (marks || []).forEach(([evaluations, value]) => {
          context.beginPath();
          context.arc(this.x(evaluations), place(value), 3.5, 0, 2 * Math.PI);
          context.fill();
        });
      }
    }
    area(context, { x, low, high }, colour, place) {
      context.beginPath();
      x.forEach((evaluations, k) => context.lineTo(this.x(evaluations), place(high[k])));
      for (let k = x.length - 1; k >= 0; k--) context.lineTo(this.x(x[k]), place(low[k]));
      context.globalAlpha = 0.16;
      context.fillStyle = colour;
      context.fill();
      context.globalAlpha = 1;
    }
    scale() {
      const shown = (value) => Math.abs(value) >= 1e3 ? count(value) : String(Number(value.toPrecision(3)));
      return this.low === void 0 ? [] : [[shown(this.high), 0], [shown(this.low), 1]];
    }
  };
  function extent(values) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [[low], high] : [[0], 1];
  }

  // js/focus.js
  var Focus = class {
    /**
     * @param {string} key Differs for different sets.
     * @param {(number: number) => boolean} has
     */
    constructor(key, has) {
      this.key = key;
      this.has = has;
    }
  };
  function focusOf(run, state) {
    const species = state.species && state.species.run === run.index ? state.species.id : null;
    const brush = state.brush && sharesBrush(run, state.brush) ? state.brush.box : null;
    if (species === null && !brush) return null;
    const inside = brush ? insideOf(run, brush) : null;
    const of = run.species;
    if (!inside) return new Focus(`s${species}`, (number) => of[number] === species);
    const key = `${brush.join()}${run.plane.join()}`;
    if (species === null) return new Focus(key, inside);
    return new Focus(`${key}s${species}`, (number) => of[number] === species && inside(number));
  }
  function sharesBrush(run, brush) {
    return run.index === brush.run || run.bounds.every((bound, place) => bound === brush.bounds[place]);
  }
  function insideOf(run, [left, top, right, bottom]) {
    const { x, y } = run;
    return (number) => x[number] >= left && x[number] <= right && y[number] >= top && y[number] <= bottom;
  }
  function members(focus, end) {
    const found = [];
    for (let number = 0; number < end; number++) if (focus.has(number)) found.push(number);
    return found;
  }
  function ancestorsOf(run, numbers) {
    const found = /* @__PURE__ */ new Set();
    const founders = /* @__PURE__ */ new Set();
    for (const number of numbers) {
      let place = number;
      while (run.firstParent[place] >= 0) {
        const parent = run.firstParent[place];
        if (found.has(parent)) {
          place = NaN;
          break;
        }
        found.add(parent);
        place = parent;
      }
      if (!Number.isNaN(place)) founders.add(place);
    }
    for (const number of numbers) found.delete(number);
    return { ancestors: [...found].sort((a, b) => a - b), founders: founders.size };
  }

  // js/species.js
  var MOST_SPECIES = 6;
  var LAST = 1e3;
  var SWEEPS = 5;
  function speciesBySize(run, generation) {
    const pairs = [];
    for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) {
      pairs.push([run.riverSpecies[pair], run.riverSize[pair]]);
    }
    return pairs.sort((a, b) => b[1] - a[1]);
  }
  var kept = /* @__PURE__ */ new WeakMap();
  function colourPlace(run, id, colours) {
    let places = kept.get(run);
    if (!places) kept.set(run, places = run.live ? /* @__PURE__ */ new Map() : placesOf(run, colours));
    return places.get(id) ?? id % colours;
  }
  function placesOf(run, colours) {
    const rivals = rivalsOf(run);
    const places = /* @__PURE__ */ new Map();
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (const [id, generations] of rivals) {
        const conflicts = new Float64Array(colours);
        for (const [rival, weight] of generations) if (places.has(rival)) conflicts[places.get(rival)] += weight;
        const order = Array.from({ length: colours }, (_, step) => (id + step) % colours);
        places.set(id, order.reduce((best, place) => conflicts[place] < conflicts[best] ? place : best));
      }
    }
    return places;
  }
  function rivalsOf(run) {
    const rivals = /* @__PURE__ */ new Map();
    const last = run.first.length - 1;
    for (let generation = last; generation >= 0; generation--) {
      const ids = speciesBySize(run, generation).slice(0, MOST_SPECIES).map(([id]) => id);
      for (const id of ids) {
        if (!rivals.has(id)) rivals.set(id, /* @__PURE__ */ new Map());
        const weights = rivals.get(id);
        for (const other of ids) if (other !== id) weights.set(other, (weights.get(other) || 0) + (generation === last ? LAST : 1));
      }
    }
    return rivals;
  }

  // js/palette.js
  var LOWEST = { light: 0, dark: 0.25 };
  var Palette = class {
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
      this.ramp = Array.from({ length: 64 }, (_, step) => mix(this.grammar.ramp, lowest + (1 - lowest) * step / 63));
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
  };
  function rgb(hex) {
    return [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));
  }
  function mix(stops, fraction) {
    const place = fraction * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    const [from, to] = [rgb(stops[low]), rgb(stops[low + 1])];
    const parts = from.map((part, channel) => Math.round(part + (to[channel] - part) * (place - low)));
    return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  }

  // js/grids.js
  var CELLS = 48;
  var Grid = class {
    constructor(run) {
      this.run = run;
      this.canvas = document.createElement("canvas");
      this.fit();
    }
    /** Lay the grid over the dimensions that the run shows now. */
    fit() {
      const { run } = this;
      const [left, top, right, bottom] = run.bounds;
      const side = Math.max(right - left, bottom - top) / CELLS;
      [this.cellX, this.cellY] = run.maze ? [side, side] : [(right - left) / CELLS, (bottom - top) / CELLS];
      this.across = Math.ceil((right - left) / this.cellX - 1e-9);
      this.down = Math.ceil((bottom - top) / this.cellY - 1e-9);
      [this.canvas.width, this.canvas.height] = [this.across, this.down];
      this.values = new Float64Array(this.across * this.down);
      this.plane = run.plane;
      this.restart();
    }
    /** The cell of an individual. */
    cell(number) {
      const [left, top] = this.run.bounds;
      const column = Math.min(Math.max(Math.floor((this.run.x[number] - left) / this.cellX), 0), this.across - 1);
      const row = Math.min(Math.max(Math.floor((this.run.y[number] - top) / this.cellY), 0), this.down - 1);
      return row * this.across + column;
    }
    /** Fill the grid with the individuals before `end`, of the focus if there is one. */
    fill(end, focus) {
      const key = focus ? focus.key : "";
      if (this.plane !== this.run.plane) this.fit();
      if (end < this.filled || key !== this.focusKey) this.restart();
      this.focusKey = key;
      for (; this.filled < end; this.filled++) {
        if (!focus || focus.has(this.filled)) this.add(this.filled);
      }
    }
    /** Draw the cells; returns the range of values for a colour bar. */
    draw(context, end, plane, palette, focus = null) {
      this.fill(end, focus);
      const image = new ImageData(this.across, this.down);
      const [low, high] = this.range();
      this.values.forEach((value, cell) => {
        if (!this.isFilled(value)) return;
        image.data.set([...rgb(palette.value(this.fraction(value, low, high))), 235], 4 * cell);
      });
      this.canvas.getContext("2d").putImageData(image, 0, 0);
      const [left, top] = this.run.bounds;
      context.save();
      context.transform(plane.scaleX, 0, 0, plane.scaleY, plane.offsetX, plane.offsetY);
      context.imageSmoothingEnabled = false;
      context.drawImage(this.canvas, left, top, this.across * this.cellX, this.down * this.cellY);
      context.restore();
      return [low, high];
    }
  };
  var Density = class extends Grid {
    restart() {
      this.values.fill(0);
      this.filled = this.most = 0;
    }
    add(number) {
      this.most = Math.max(this.most, ++this.values[this.cell(number)]);
    }
    isFilled(value) {
      return value > 0;
    }
    range() {
      return [1, Math.max(this.most * this.run.stride, 2)];
    }
    fraction(value) {
      return this.most > 1 ? Math.log(value) / Math.log(this.most) : 0;
    }
  };
  var EliteGrid = class extends Grid {
    restart() {
      this.values.fill(NaN);
      this.filled = 0;
    }
    add(number) {
      const cell = this.cell(number);
      const value = this.run.quality[number];
      if (Number.isNaN(this.values[cell]) || this.run.isBetter(value, this.values[cell])) this.values[cell] = value;
    }
    isFilled(value) {
      return !Number.isNaN(value);
    }
    /** The range of the whole run, so that a colour has one meaning at all times. */
    range() {
      return this.run.qualityRange;
    }
    fraction(value, low, high) {
      const fraction = high > low ? (value - low) / (high - low) : 1;
      return this.run.smaller ? 1 - fraction : fraction;
    }
  };
  function visitedCells(run) {
    const grid = new Density(run);
    const visited = new Int32Array(run.count);
    let cells = 0;
    for (let number = 0; number < run.count; number++) {
      if (grid.values[grid.cell(number)]++ === 0) cells++;
      visited[number] = cells;
    }
    return { visited, cells: grid.values.length };
  }

  // js/curves.js
  var Curves = class {
    /** @param {HTMLElement} root @param {Run[]} runs @param {Palette} palette @param {object} actions */
    constructor(root, runs, palette, actions) {
      Object.assign(this, { root, palette, actions });
      this.setRuns(runs);
    }
    setRuns(runs) {
      this.runs = runs;
      this.focuses = runs.map(() => null);
      this.cells = runs.map(() => null);
      const limit = Math.max(...runs.map((run) => run.evaluations));
      const chart = (name, lines) => new LineChart({ name, height: "short", limit, palette: this.palette, seek: this.actions.seek }, lines);
      const measure = runs[0].maze ? "Smallest distance to the goal" : `Best ${runs[0].measure}`;
      this.charts = [
        { chart: chart(measure, () => runs.flatMap((run) => this.bestLines(run))), now: (run, k) => figure(run.quality[run.best[k]]) },
        { chart: chart("Visited cells", () => runs.flatMap((run) => this.visitedLines(run))), now: (run, k) => this.visitedNow(run, k) }
      ];
      if (runs.some((run) => run.hasSpecies)) {
        this.charts.push({ chart: chart("Species", () => runs.flatMap((run) => this.speciesLines(run))), now: (run, k) => this.speciesNow(run, k) });
      }
      this.charts.forEach((entry) => {
        entry.chart.zero = entry !== this.charts[0] || runs[0].smaller;
        entry.values = runs.map(() => element("span", { class: "value" }));
      });
      this.root.replaceChildren(
        ...this.charts.map(
          ({ chart: { canvas }, values }) => element("figure", { class: "curve" }, canvas, element("figcaption", { class: "values" }, ...values))
        )
      );
    }
    draw(state) {
      const { moment } = state.clock;
      this.focuses = this.runs.map((run) => focusOf(run, state));
      const version = [this.runs.map((run) => run.count), this.focuses.map((focus) => focus && focus.key), this.runs[0].plane].join();
      for (const { chart, now, values } of this.charts) {
        chart.limit = state.clock.limit;
        chart.draw(moment, version);
        values.forEach((value, place) => {
          const run = this.runs[place];
          setText(value, now(run, run.individualAt(moment)));
          value.style.color = this.colour(run);
        });
      }
    }
    colour(run) {
      return this.runs.length > 1 ? this.palette.search(run.search) : this.palette.accent;
    }
    bestLines(run) {
      const colour = this.colour(run);
      const focus = this.focuses[run.index];
      const line2 = stepsOf(run);
      const lines = [{ ...line2, colour, step: true, dash: this.runs.length > 1 ? this.palette.dash(run.search) : [], alpha: focus ? 0.35 : 1 }];
      if (run.reference) lines.unshift({ x: [], y: [], colour: this.palette.soft, band: run.reference });
      if (run.solution !== null) lines[lines.length - 1].marks = [[run.evaluation(run.solution), run.quality[run.best[run.solution]]]];
      if (focus) lines.push({ ...stepsOf(run, focus), colour, step: true, width: 2.4 });
      return lines;
    }
    visitedLines(run) {
      const focus = this.focuses[run.index];
      if (focus) return [{ ...this.perGeneration(run, focus), colour: this.colour(run), step: true }];
      const { visited } = this.visitedCells(run);
      const every = Math.max(1, Math.floor(run.count / 400));
      const [x, y] = [[0], [0]];
      for (let number = 0; number < run.count; number += every) {
        x.push(run.evaluation(number));
        y.push(visited[number]);
      }
      x.push(run.evaluations);
      y.push(visited[run.count - 1]);
      return [{ x, y, colour: this.colour(run), dash: this.runs.length > 1 ? this.palette.dash(run.search) : [] }];
    }
    /** The number of individuals of each generation in the focus. */
    perGeneration(run, focus) {
      const [x, y] = [[], []];
      for (let generation = 0; generation < run.first.length; generation++) {
        let found = 0;
        for (let number = run.first[generation]; number < run.generationEnd(generation); number++) found += focus.has(number);
        x.push(run.evaluation(run.first[generation]));
        y.push(found);
      }
      x.push(run.evaluations);
      y.push(y[y.length - 1]);
      this.charts[1].chart.name = "Selected per generation";
      return { x, y };
    }
    visitedCells(run) {
      const cached = this.cells[run.index];
      if (!cached || cached.plane !== run.plane || cached.count !== run.count) {
        this.cells[run.index] = { plane: run.plane, count: run.count, ...visitedCells(run) };
      }
      this.charts[1].chart.name = run.stride > 1 ? `Visited cells, of ${run.count.toLocaleString("en-GB")} evaluations` : "Visited cells";
      return this.cells[run.index];
    }
    visitedNow(run, number) {
      if (this.focuses[run.index]) return "";
      const { visited, cells } = this.visitedCells(run);
      return `${count(visited[number])} (${Math.round(100 * visited[number] / cells)}%)`;
    }
    speciesLines(run) {
      const focus = this.focuses[run.index];
      const x = [...Array.from(run.first, (first) => run.evaluation(first) - 1), run.evaluations];
      const counts = focus ? Array.from(run.first, (_, generation) => this.speciesInFocus(run, generation, focus)) : [...run.riverCount];
      const y = [...counts, counts[counts.length - 1]];
      return [{ x, y, colour: this.colour(run), step: true, dash: this.runs.length > 1 ? this.palette.dash(run.search) : [] }];
    }
    /** The number of species with offspring in the focus in a generation. */
    speciesInFocus(run, generation, focus) {
      const found = /* @__PURE__ */ new Set();
      for (let number = run.first[generation]; number < run.generationEnd(generation); number++) {
        if (focus.has(number)) found.add(run.species[number]);
      }
      this.charts[2].chart.name = "Species in the selection";
      return found.size;
    }
    speciesNow(run, number) {
      if (!this.focuses[run.index]) this.charts[2].chart.name = "Species";
      return run.hasSpecies && !this.focuses[run.index] ? count(run.riverCount[run.generationOf(number)]) : "";
    }
  };
  function stepsOf(run, focus = null) {
    const [x, y] = [[], []];
    let best = NaN;
    for (let number = 0; number < run.count; number++) {
      if (focus && !focus.has(number)) continue;
      const value = run.quality[number];
      if (!Number.isNaN(best) && !run.isBetter(value, best)) continue;
      best = value;
      x.push(x.length || focus ? run.evaluation(number) : 0);
      y.push(value);
    }
    x.push(run.evaluations);
    y.push(best);
    return { x, y };
  }

  // js/svg.js
  function escaped(text) {
    return String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
  }
  var round = (number) => Number(number.toFixed(2));
  var SvgContext = class {
    constructor() {
      this.parts = [];
      this.path = [];
      this.stack = [];
      this.clips = 0;
      this.state = { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, dash: [], font: "11px sans-serif", textAlign: "start", lineCap: "butt", lineJoin: "miter", groups: 0 };
      this.measure = document.createElement("canvas").getContext("2d");
      for (const name of ["fillStyle", "strokeStyle", "lineWidth", "globalAlpha", "font", "textAlign", "lineCap", "lineJoin", "imageSmoothingEnabled"]) {
        Object.defineProperty(this, name, { get: () => this.state[name], set: (value) => this.state[name] = value });
      }
    }
    save() {
      this.stack.push(this.state);
      this.state = { ...this.state, groups: 0 };
    }
    restore() {
      this.parts.push("</g>".repeat(this.state.groups));
      this.state = this.stack.pop();
    }
    /** Open a group that the matching restore closes. */
    group(attributes) {
      this.parts.push(`<g ${attributes}>`);
      this.state.groups++;
    }
    translate(x, y) {
      this.group(`transform="translate(${round(x)} ${round(y)})"`);
    }
    rotate(angle) {
      this.group(`transform="rotate(${round(angle * 180 / Math.PI)})"`);
    }
    transform(a, b, c, d, e, f) {
      this.group(`transform="matrix(${[a, b, c, d, e, f].join(" ")})"`);
    }
    clip() {
      const name = `clip${this.clips++}`;
      this.parts.push(`<clipPath id="${name}"><path d="${this.path.join("")}"/></clipPath>`);
      this.group(`clip-path="url(#${name})"`);
    }
    beginPath() {
      this.path = [];
    }
    moveTo(x, y) {
      this.path.push(`M${round(x)} ${round(y)}`);
    }
    lineTo(x, y) {
      this.path.push(`${this.path.length ? "L" : "M"}${round(x)} ${round(y)}`);
    }
    closePath() {
      this.path.push("Z");
    }
    rect(x, y, width, height) {
      this.path.push(`M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`);
    }
    arc(x, y, radius, from, to) {
      if (to - from >= 2 * Math.PI - 1e-6) {
        this.ellipse(x, y, radius, radius);
        return;
      }
      const at = (angle) => `${round(x + radius * Math.cos(angle))} ${round(y + radius * Math.sin(angle))}`;
      this.path.push(`M${at(from)}A${round(radius)} ${round(radius)} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(to)}`);
    }
    ellipse(x, y, across, down) {
      const [rx, ry] = [round(across), round(down)];
      this.path.push(`M${round(x - across)} ${round(y)}a${rx} ${ry} 0 1 0 ${round(2 * across)} 0a${rx} ${ry} 0 1 0 ${round(-2 * across)} 0Z`);
    }
    setLineDash(dash) {
      this.state.dash = dash;
    }
    fill() {
      this.parts.push(`<path d="${this.path.join("")}" fill="${this.state.fillStyle}"${this.opacity()}/>`);
    }
    stroke() {
      this.parts.push(`<path d="${this.path.join("")}" fill="none"${this.strokeOf()}${this.opacity()}/>`);
    }
    fillRect(x, y, width, height) {
      this.beginPath();
      this.rect(x, y, width, height);
      this.fill();
    }
    strokeRect(x, y, width, height) {
      this.beginPath();
      this.rect(x, y, width, height);
      this.stroke();
    }
    fillText(text, x, y) {
      this.write(text, x, y, ` fill="${this.state.fillStyle}"`);
    }
    strokeText(text, x, y) {
      this.write(text, x, y, ` fill="none"${this.strokeOf()}`);
    }
    measureText(text) {
      this.measure.font = this.state.font;
      return this.measure.measureText(text);
    }
    drawImage(image, x, y, width, height) {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth || image.width, image.naturalHeight || image.height];
      canvas.getContext("2d").drawImage(image, 0, 0);
      const rendering = this.state.imageSmoothingEnabled === false ? ' style="image-rendering:pixelated"' : "";
      this.parts.push(`<image href="${canvas.toDataURL()}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" preserveAspectRatio="none"${rendering}${this.opacity()}/>`);
    }
    write(text, x, y, paint2) {
      const anchor = { start: "start", center: "middle", right: "end" }[this.state.textAlign];
      this.parts.push(`<text x="${round(x)}" y="${round(y)}" style="font:${escaped(this.state.font)}" text-anchor="${anchor}"${paint2}${this.opacity()}>${escaped(text)}</text>`);
    }
    strokeOf() {
      const { strokeStyle, lineWidth, dash, lineCap, lineJoin } = this.state;
      const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
      return ` stroke="${strokeStyle}" stroke-width="${round(lineWidth)}" stroke-linecap="${lineCap}" stroke-linejoin="${lineJoin}"${dashes}`;
    }
    opacity() {
      return this.state.globalAlpha < 1 ? ` opacity="${round(this.state.globalAlpha)}"` : "";
    }
    /** The drawing as a group. */
    content() {
      return this.parts.join("\n");
    }
  };

  // js/exporting.js
  var HEADING = 26;
  var SCALE = 2;
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
  function toPng(panels, state, palette) {
    const { width, height } = sizeOf(panels);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
    const context = canvas.getContext("2d");
    context.scale(SCALE, SCALE);
    paint(context, panels, state, palette, SCALE);
    return new Promise((resolve) => canvas.toBlob(resolve));
  }
  function toSvg(panels, state, palette) {
    const { width, height } = sizeOf(panels);
    const context = new SvgContext();
    context.save();
    paint(context, panels, state, palette, SCALE);
    context.restore();
    const space = "http://www.w3.org/2000/svg";
    return `<svg xmlns="${space}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif">
${context.content()}
</svg>
`;
  }
  function toCsv(panels) {
    const { dimensions } = panels[0].run;
    const kept2 = dimensions.map((dimension, place) => [dimension, place]).filter(([{ derived }]) => !derived);
    const quoted = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const head = ["run", "evaluation", "generation", ...kept2.map(([{ name }]) => name), panels[0].run.measure, "score", "species", "first_parent", "second_parent"];
    const rows = [head.map(quoted).join(",")];
    for (const { run, map } of panels) {
      for (const number of map.inFocus()) {
        const parents = [run.firstParent[number], run.secondParent[number]].map((parent) => parent < 0 ? "" : run.evaluation(parent));
        const score = Number.isNaN(run.score[number]) ? "" : run.score[number];
        const behaviour = kept2.map(([, place]) => run[`behaviour${place}`][number]);
        const species = run.species[number] < 0 ? "" : run.species[number];
        rows.push([quoted(run.title), run.evaluation(number), run.generation[run.generationOf(number)], ...behaviour, run.quality[number], score, species, ...parents].join(","));
      }
    }
    return `${rows.join("\n")}
`;
  }
  async function save(kind, panels, state, palette) {
    const name = `explorer-${Math.floor(state.clock.moment)}.${kind}`;
    if (kind === "png") download(name, await toPng(panels, state, palette));
    else if (kind === "svg") download(name, new Blob([toSvg(panels, state, palette)], { type: "image/svg+xml" }));
    else download(name, new Blob([toCsv(panels)], { type: "text/csv" }));
  }

  // js/lineage.js
  var LEFT2 = 46;
  var RIGHT2 = 12;
  var GAP = 22;
  function lineageOf(run, number) {
    return { tip: number, line: [...run.firstParents(number).reverse(), number], all: run.ancestors(number) };
  }
  var LineageChart = class {
    constructor(canvas, palette) {
      this.canvas = canvas;
      this.palette = palette;
      this.stones = [];
    }
    draw(run, lineage, selected) {
      const { context, width, height } = prepare(this.canvas);
      const half = (height - GAP) / 2;
      this.stones = lineage.line.map((number) => ({ number, x: this.x(number, lineage.tip, width) }));
      this.curve(context, width, 0, half, run.measure, (number) => run.quality[number], selected);
      const genome = run.maze ? "connections" : "genome size";
      this.curve(context, width, half + GAP, half, genome, (number) => run.size[number], selected);
    }
    /** The individual of the lineage that is nearest to a place on the canvas. */
    find(x) {
      return this.stones.reduce((near, stone) => Math.abs(stone.x - x) < Math.abs(near.x - x) ? stone : near).number;
    }
    x(number, tip, width) {
      return LEFT2 + number / Math.max(tip, 1) * (width - LEFT2 - RIGHT2);
    }
    curve(context, width, top, height, name, value, selected) {
      const { accent, soft, ink, line: line2, panel } = this.palette;
      const values = this.stones.map(({ number }) => value(number));
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const fraction = (value2) => high > low ? (value2 - low) / (high - low) : 0.5;
      const y = (value2) => top + 18 + (1 - fraction(value2)) * (height - 26);
      context.fillStyle = soft;
      context.font = "10px system-ui, sans-serif";
      context.fillText(name, LEFT2, top + 8);
      context.textAlign = "right";
      context.fillText(figure(high), LEFT2 - 8, y(high) + 4);
      if (high > low) context.fillText(figure(low), LEFT2 - 8, y(low) + 2);
      context.textAlign = "start";
      context.strokeStyle = line2;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(LEFT2, top + height - 1.5);
      context.lineTo(width - RIGHT2, top + height - 1.5);
      context.stroke();
      context.strokeStyle = accent;
      context.lineWidth = 1.4;
      context.beginPath();
      this.stones.forEach(({ x }, place) => context.lineTo(x, y(values[place])));
      context.stroke();
      this.stones.forEach(({ number, x }, place) => {
        disc(context, x, y(values[place]), number === selected ? 5 : 2.6);
        context.fillStyle = number === selected ? ink : panel;
        context.fill();
        context.strokeStyle = number === selected ? ink : accent;
        context.stroke();
      });
    }
  };

  // js/network.js
  var LEFT3 = 112;
  var RIGHT3 = 54;
  var RADIUS = 6.5;
  var STRONG = 3;
  function drawNetwork(canvas, drive, step, palette) {
    const { context, width, height } = prepare(canvas);
    const places = layOut(drive, width, height);
    const active = drive.activations[step];
    for (const link of drive.links) drawLink(context, link, places, active, palette);
    context.globalAlpha = 1;
    for (const node of drive.nodes) {
      const [x, y] = places.get(node);
      disc(context, x, y, RADIUS);
      context.fillStyle = palette.panel;
      context.fill();
      context.globalAlpha = Math.min(Math.max(active.get(node), 0), 1);
      context.fillStyle = palette.goal;
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = palette.ink;
      context.lineWidth = 1.2;
      context.stroke();
    }
    context.font = "11px system-ui, sans-serif";
    drive.inputNames.forEach((name, input) => drawInput(context, name, places.get(input), active.get(input), palette));
    OUTPUT_NAMES.forEach((name, output) => {
      const [x, y] = places.get(INPUTS + output);
      context.fillStyle = palette.ink;
      context.fillText(name, x + RADIUS + 6, y + 1);
      context.fillStyle = palette.soft;
      context.fillText(active.get(INPUTS + output).toFixed(2), x + RADIUS + 6, y + 14);
    });
  }
  function drawInput(context, name, [x, y], value, palette) {
    context.textAlign = "right";
    context.fillStyle = palette.ink;
    context.fillText(name, 72, y + 4);
    context.textAlign = "start";
    context.fillStyle = palette.line;
    context.fillRect(78, y - 3, x - RADIUS - 6 - 78, 6);
    context.fillStyle = palette.goal;
    context.fillRect(78, y - 3, (x - RADIUS - 6 - 78) * value, 6);
  }
  function drawLink(context, { source, target, weight }, places, active, palette) {
    const [from, to] = [places.get(source), places.get(target)];
    context.strokeStyle = weight < 0 ? palette.negative : palette.positive;
    context.setLineDash(weight < 0 ? [4, 3] : []);
    context.lineWidth = 0.6 + 2.6 * Math.min(Math.abs(weight) / STRONG, 1);
    context.globalAlpha = 0.2 + 0.8 * Math.min(Math.max(active.get(source), 0), 1);
    context.beginPath();
    if (source === target) {
      context.arc(from[0], from[1] - RADIUS - 4, 6, 0.8 * Math.PI, 2.2 * Math.PI);
    } else if (to[0] > from[0] + 1) {
      context.moveTo(...from);
      context.lineTo(...to);
    } else {
      context.moveTo(...from);
      context.quadraticCurveTo((from[0] + to[0]) / 2 + 20, Math.min(from[1], to[1]) - 34, ...to);
    }
    context.stroke();
    context.setLineDash([]);
  }
  function layOut(drive, width, height) {
    const depth = new Map(Array.from({ length: INPUTS }, (_, node) => [node, 0]));
    for (let changed = true; changed; ) {
      changed = false;
      for (const { source, target } of drive.links) {
        if (depth.has(source) && !depth.has(target) && target >= INPUTS + OUTPUTS) {
          depth.set(target, depth.get(source) + 1);
          changed = true;
        }
      }
    }
    const hidden = drive.nodes.slice(INPUTS + OUTPUTS);
    const columns = Math.max(0, ...hidden.map((node) => depth.get(node) ?? 1));
    const places = /* @__PURE__ */ new Map();
    const [left, right] = [LEFT3, width - RIGHT3];
    for (let node = 0; node < INPUTS; node++) places.set(node, [left, spread(node, INPUTS, height)]);
    for (let node = 0; node < OUTPUTS; node++) places.set(INPUTS + node, [right, spread(node, OUTPUTS, height)]);
    for (let column = 1; column <= columns; column++) {
      const nodes = hidden.filter((node) => (depth.get(node) ?? 1) === column);
      nodes.forEach((node, row) => {
        const shift = nodes.length > 1 ? row % 2 ? 9 : -9 : 0;
        places.set(node, [left + (right - left) * column / (columns + 1) + shift, spread(row, nodes.length, height)]);
      });
    }
    return places;
  }
  function spread(row, rows, height) {
    return 14 + (row + 0.5) / rows * (height - 28);
  }
  function describeNetwork(drive) {
    const hidden = drive.nodes.length - INPUTS - OUTPUTS;
    const strongest = drive.links.reduce((most, { weight }) => Math.max(most, Math.abs(weight)), 0);
    return `${drive.links.length} enabled links, ${hidden} hidden node${hidden === 1 ? "" : "s"}, strongest weight ${figure(strongest)}`;
  }

  // js/individual.js
  var IndividualTab = class {
    constructor(root, runs, palette, actions) {
      Object.assign(this, { root, runs, palette, actions });
      this.key = "";
    }
    draw(state) {
      const key = [state.run, state.individual, state.lineage && state.lineage.tip, this.palette.theme, state.focus].join();
      if (key !== this.key) {
        this.key = key;
        this.build(state);
      }
      if (state.individual === null) return;
      if (this.chart) this.chart.draw(this.runs[state.run], state.lineage, state.individual);
      if (state.drive) this.drawDrive(state);
    }
    build(state) {
      this.chart = this.network = null;
      if (state.individual === null) {
        this.root.replaceChildren(this.invitation(this.runs[state.focus]));
        return;
      }
      const run = this.runs[state.run];
      const parts = [this.facts(run, state)];
      const image = run.images && run.images[state.individual];
      if (image) parts.push(element("img", { class: "render", src: image, alt: `Rendering of individual ${count(run.evaluation(state.individual))}` }));
      if (run.maze) parts.push(this.driveOf(run, state));
      if (run.hasParents) parts.push(this.lineage(run, state));
      this.root.replaceChildren(...parts);
    }
    invitation(run) {
      const best = run.best[run.count - 1];
      const text = run.trails ? "Click a point to see the trajectory and the lineage of a robot. The solution, its ancestors, archive entries and champions of species also have their whole drive and their network." : "Click a point to see its lineage and its values.";
      const name = run.solution !== null ? "Select the solution" : "Select the best";
      return element(
        "section",
        { class: "invitation" },
        element("h3", {}, "No individual selected"),
        element("p", { class: "soft" }, text),
        button(name, () => this.actions.select(run.index, run.solution ?? best), { class: "primary" })
      );
    }
    facts(run, state) {
      const { individual } = state;
      const species = run.species[individual];
      const role = run.robotAt.has(individual) ? run.roles[run.robotAt.get(individual)] : null;
      const rows = [
        ["evaluation", `${count(run.evaluation(individual))}, generation ${count(run.generation[run.generationOf(individual)])}`],
        [run.measure, figure(run.quality[individual])]
      ];
      if (run.hasScores) rows.push(["score", figure(run.score[individual])]);
      if (species >= 0) rows.push(["species", mark("point", String(species), this.palette.species(run, species))]);
      if (run.size[individual]) rows.push([run.maze ? "connections" : "genome size", count(run.size[individual])]);
      if (run.hasParents) {
        rows.push(["first parent", this.parent(run, run.firstParent[individual])]);
        if (run.secondParent[individual] !== run.firstParent[individual]) rows.push(["second parent", this.parent(run, run.secondParent[individual])]);
      }
      run.dimensions.slice(0, 12).forEach(({ name, derived }, place) => {
        if (!run.maze && !derived) rows.push([name, figure(run[`behaviour${place}`][individual])]);
      });
      const title = `${run.noun === "robot" ? "Robot" : "Individual"} ${count(run.evaluation(individual))}`;
      return element(
        "section",
        { class: "facts-of" },
        element("header", {}, element("h3", {}, title), button("Close", () => this.actions.close(), { id: "close", class: "quiet" })),
        role || this.runs.length > 1 ? element("p", { class: "soft" }, [role, this.runs.length > 1 ? run.title : null].filter(Boolean).join(" · ")) : "",
        element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]))
      );
    }
    parent(run, number) {
      if (number < 0) return "none";
      return button(`${run.noun} ${count(run.evaluation(number))}`, () => this.actions.select(run.index, number), { class: "link" });
    }
    lineage(run, { lineage, individual }) {
      const { line: line2, all, tip } = lineage;
      const canvas = element("canvas", { class: "lineage", role: "img", "aria-label": "Stepping stones" });
      canvas.addEventListener("click", (event) => this.actions.select(run.index, this.chart.find(event.offsetX)));
      this.chart = new LineageChart(canvas, this.palette);
      const place = line2.indexOf(individual);
      const text = line2.length > 1 ? `${count(line2.length - 1)} first parents from ${run.noun} ${count(run.evaluation(line2[0]))} to ${run.noun} ${count(run.evaluation(tip))}; ${count(all.length)} ancestors in all.` : "An individual of the first generation has no parents.";
      const step = (by, id, label2) => button(label2, () => this.actions.walk(by), { id, disabled: line2[place + by] === void 0 });
      return element(
        "section",
        { class: "stones" },
        element("h3", {}, "Stepping stones"),
        element("p", { class: "soft" }, text),
        canvas,
        element(
          "div",
          { class: "row" },
          step(-1, "older", "← Parent"),
          element("span", { class: "soft" }, `${count(place + 1)} of ${count(line2.length)}`),
          step(1, "younger", "Child →")
        )
      );
    }
    driveOf(run, { drive, step }) {
      if (!drive) {
        const text = run.trails ? "The map shows the thinned trajectory of this robot. Whole drives are kept for the solution, its ancestors, champions of species and archive entries." : "This page has the final position of this robot. The whole drive is kept for the best robot only.";
        return element("section", { class: "drive" }, element("h3", {}, "Drive"), element("p", { class: "soft" }, text));
      }
      this.slider = element("input", { type: "range", min: 0, max: drive.steps, value: step, id: "step", "aria-label": "Step of the drive" });
      this.slider.addEventListener("input", () => this.actions.step(Number(this.slider.value)));
      this.driveButton = button("Drive", () => this.actions.drive(), { id: "drive" });
      this.stepText = element("span", { class: "soft now" });
      this.network = element("canvas", { class: "network", role: "img", "aria-label": "Network" });
      return element(
        "section",
        { class: "drive" },
        element("h3", {}, "Drive and network"),
        element("div", { class: "row" }, this.driveButton, this.slider, this.stepText),
        this.network,
        element("p", { class: "soft small" }, `${describeNetwork(drive)}. Solid blue: positive weight; dashed vermilion: negative. Width: size of the weight; opacity: activation.`)
      );
    }
    drawDrive({ drive, step, driving }) {
      drawNetwork(this.network, drive, step, this.palette);
      if (Number(this.slider.value) !== step) this.slider.value = step;
      setText(this.stepText, `step ${step} of ${drive.steps}`);
      setText(this.driveButton, driving ? "Stop" : "Drive");
    }
  };

  // js/gestures.js
  var CLICK = 5;
  var MOST_ZOOM = 60;
  function zoomed(view, factor, plane, [x, y]) {
    const zoom = Math.min(Math.max(view.zoom * factor, 1), MOST_ZOOM);
    const [left, top, right, bottom] = plane.bounds;
    const [atX, atY] = plane.behaviour(x, y);
    const fixed = [(atX - left) / (right - left), (atY - top) / (bottom - top)];
    const shrink = view.zoom / zoom;
    return clamped({ x: fixed[0] + (view.x - fixed[0]) * shrink, y: fixed[1] + (view.y - fixed[1]) * shrink, zoom });
  }
  function panned(view, plane, across, down) {
    const [left, top, right, bottom] = plane.bounds;
    return clamped({
      x: view.x - across / plane.scaleX / (right - left),
      y: view.y - down / plane.scaleY / (bottom - top),
      zoom: view.zoom
    });
  }
  function clamped({ x, y, zoom }) {
    const reach = 0.5 / zoom;
    const inside = (place) => Math.min(Math.max(place, reach), 1 - reach);
    return { x: inside(x), y: inside(y), zoom };
  }
  var Gestures = class {
    /**
     * @param {HTMLCanvasElement} canvas
     * @param {object} actions plane(), view(), setView(view), brush(box|null), brushing(), click(x, y), hover(x, y), leave().
     */
    constructor(canvas, actions) {
      Object.assign(this, { canvas, actions });
      this.pointers = /* @__PURE__ */ new Map();
      this.start = null;
      canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
      canvas.addEventListener("dblclick", () => actions.setView({ x: 0.5, y: 0.5, zoom: 1 }));
      canvas.addEventListener("pointerdown", (event) => this.down(event));
      canvas.addEventListener("pointermove", (event) => this.move(event));
      for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
      canvas.addEventListener("pointerleave", () => actions.leave());
    }
    wheel(event) {
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 15e-4));
      this.actions.setView(zoomed(this.actions.view(), factor, this.actions.plane(), [event.offsetX, event.offsetY]));
    }
    down(event) {
      if (event.button > 0) return;
      this.canvas.setPointerCapture(event.pointerId);
      const place = [event.offsetX, event.offsetY];
      this.pointers.set(event.pointerId, place);
      this.start = { place, moved: false, brush: this.actions.brushing() || event.shiftKey };
      this.apart = this.distance();
    }
    move(event) {
      const place = [event.offsetX, event.offsetY];
      const before = this.pointers.get(event.pointerId);
      if (!before) {
        this.actions.hover(...place);
        return;
      }
      this.pointers.set(event.pointerId, place);
      if (this.pointers.size > 1) {
        this.pinch();
        return;
      }
      const { start: start2 } = this;
      if (!start2.moved && Math.hypot(place[0] - start2.place[0], place[1] - start2.place[1]) < CLICK) return;
      start2.moved = true;
      if (start2.brush) this.actions.brush(this.box(start2.place, place));
      else this.actions.setView(panned(this.actions.view(), this.actions.plane(), place[0] - before[0], place[1] - before[1]));
    }
    pinch() {
      const apart = this.distance();
      const places = [...this.pointers.values()];
      const middle = [(places[0][0] + places[1][0]) / 2, (places[0][1] + places[1][1]) / 2];
      if (this.apart > 0) this.actions.setView(zoomed(this.actions.view(), apart / this.apart, this.actions.plane(), middle));
      this.apart = apart;
      this.start.moved = true;
    }
    up(event) {
      if (!this.pointers.delete(event.pointerId) || this.pointers.size || !this.start) return;
      if (!this.start.moved && event.type === "pointerup") this.actions.click(...this.start.place);
      this.start = null;
    }
    /** A rectangle of the plane from two corners in pixels: xmin, ymin, xmax, ymax. */
    box(from, to) {
      const plane = this.actions.plane();
      const [[x1, y1], [x2, y2]] = [plane.behaviour(...from), plane.behaviour(...to)];
      return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
    }
    distance() {
      const [first, second] = [...this.pointers.values()];
      return second ? Math.hypot(first[0] - second[0], first[1] - second[1]) : 0;
    }
  };

  // js/axes.js
  var AXES_MARGINS = { left: 50, right: 14, top: 12, bottom: 38 };
  function drawAxes(context, plane, names, height, palette) {
    const [left, top, right, bottom] = plane.box;
    const { soft, line: rule, ink } = palette;
    const [low, high] = [plane.behaviour(left, bottom), plane.behaviour(right, top)];
    context.strokeStyle = rule;
    context.lineWidth = 1;
    context.strokeRect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1);
    context.strokeStyle = context.fillStyle = soft;
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "center";
    context.beginPath();
    for (const tick of ticks(low[0], high[0], Math.max(2, (right - left) / 70))) {
      const x = plane.x(tick);
      context.moveTo(x, bottom);
      context.lineTo(x, bottom + 4);
      context.fillText(figure(tick), x, bottom + 14);
    }
    context.textAlign = "right";
    for (const tick of ticks(low[1], high[1], Math.max(2, (bottom - top) / 50))) {
      const y = plane.y(tick);
      context.moveTo(left, y);
      context.lineTo(left - 4, y);
      context.fillText(figure(tick), left - 6, y + 3);
    }
    context.stroke();
    context.fillStyle = ink;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(names[0], (left + right) / 2, height - 7);
    context.save();
    context.translate(12, (top + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(names[1], 0, 0);
    context.restore();
    context.textAlign = "start";
  }

  // js/predictions.js
  function drawPredictions(context, run, memory, plane, palette) {
    const centroids = behaviours(run, "centroids", memory);
    const before = hasMoves(run, memory) ? behaviours(run, "centroids", memory - 1) : [];
    const predictions = behaviours(run, "predictions", memory);
    const screen = ([x, y]) => [plane.x(x), plane.y(y)];
    if (before.length === centroids.length) {
      context.strokeStyle = context.fillStyle = palette.ink;
      context.lineWidth = 1.2;
      centroids.forEach((centroid, cluster) => arrow(context, screen(before[cluster]), screen(centroid)));
      context.fillStyle = palette.soft;
      before.forEach((centroid) => {
        disc(context, ...screen(centroid), 1.7);
        context.fill();
      });
    }
    context.strokeStyle = context.fillStyle = palette.prediction;
    if (predictions.length === centroids.length) {
      context.lineWidth = 1;
      context.setLineDash([2, 3]);
      context.beginPath();
      predictions.forEach((prediction, cluster) => {
        context.moveTo(...screen(centroids[cluster]));
        context.lineTo(...screen(prediction));
      });
      context.stroke();
      context.setLineDash([]);
    }
    context.lineWidth = 1.5;
    predictions.forEach((prediction, cluster) => {
      diamond(context, ...screen(prediction), 4.2);
      if (isOccupied(run, memory, cluster)) context.fill();
      else hollow(context, palette);
    });
    context.strokeStyle = context.fillStyle = palette.ink;
    context.lineWidth = 1.3;
    centroids.forEach((centroid, cluster) => {
      square(context, ...screen(centroid), 2.8);
      if (isOccupied(run, memory, cluster)) context.fill();
      else hollow(context, palette);
    });
  }
  function drawArchive(context, run, memory, plane, palette) {
    const entries = archived(run, memory).map((entry) => [plane.x(run.archiveX[entry]), plane.y(run.archiveY[entry])]);
    const threshold = run.dimensions.length === 2 ? run.threshold[memory] : 0;
    if (threshold > 0) {
      const [across, down] = [threshold * plane.scaleX, threshold * Math.abs(plane.scaleY)];
      context.beginPath();
      for (const [x, y] of entries) {
        context.moveTo(x + across, y);
        context.ellipse(x, y, across, down, 0, 0, 2 * Math.PI);
      }
      context.globalAlpha = 0.13;
      context.fillStyle = palette.archive;
      context.fill("nonzero");
      context.globalAlpha = 1;
    }
    context.strokeStyle = palette.archive;
    context.fillStyle = palette.panel;
    context.lineWidth = 1.5;
    for (const [x, y] of entries) {
      triangle(context, x, y, 4.2);
      context.fill();
      context.stroke();
    }
  }
  function hasMoves(run, memory) {
    return memory > 0 && run.memoryAt[memory] - run.memoryAt[memory - 1] === 1;
  }
  function archived(run, memory) {
    const entries = [];
    for (let entry = 0; entry < run.archiveFrom.length; entry++) {
      if (run.archiveFrom[entry] <= memory && memory < run.archiveTo[entry]) entries.push(entry);
    }
    return entries;
  }
  function isOccupied(run, memory, cluster) {
    return run.occupiedCount[memory] <= cluster || run.occupied[run.occupiedStart[memory] + cluster] === 1;
  }
  function predictionError(run, memory) {
    if (run.predictionErrors) return run.predictionErrors[memory];
    const predictions = behaviours(run, "predictions", memory);
    if (!predictions.length) return NaN;
    const generation = run.memoryAt[memory];
    let sum = 0;
    for (const [x, y] of predictions) {
      let nearest = Infinity;
      for (let number = run.first[generation]; number < run.generationEnd(generation); number++) {
        const distance2 = (run.x[number] - x) ** 2 + (run.y[number] - y) ** 2;
        if (distance2 < nearest) nearest = distance2;
      }
      sum += Math.sqrt(nearest);
    }
    return sum / predictions.length;
  }
  function behaviours(run, name, memory) {
    const [start2, end] = [run[`${name}Start`][memory], run[`${name}Start`][memory + 1]];
    return Array.from({ length: end - start2 }, (_, k) => [run[`${name}X`][start2 + k], run[`${name}Y`][start2 + k]]);
  }
  function arrow(context, [fromX, fromY], [toX, toY]) {
    const length = Math.hypot(toX - fromX, toY - fromY);
    if (length < 5) return;
    const [alongX, alongY] = [(toX - fromX) / length, (toY - fromY) / length];
    const [endX, endY] = [toX - 3 * alongX, toY - 3 * alongY];
    context.globalAlpha = 0.55;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(endX, endY);
    context.stroke();
    context.beginPath();
    context.moveTo(endX, endY);
    context.lineTo(endX - 5 * alongX + 2.5 * alongY, endY - 5 * alongY - 2.5 * alongX);
    context.lineTo(endX - 5 * alongX - 2.5 * alongY, endY - 5 * alongY + 2.5 * alongX);
    context.fill();
    context.globalAlpha = 1;
  }
  function hollow(context, palette) {
    const colour = context.fillStyle;
    context.fillStyle = palette.panel;
    context.fill();
    context.fillStyle = colour;
    context.stroke();
  }

  // js/points.js
  var FAINT = { light: 85, dark: 105 };
  var STRONG2 = 210;
  var OUTSIDE = 26;
  function colourOf(run, number, mode, palette) {
    if (mode === "species") return palette.species(run, run.species[number]);
    if (mode === "score") return palette.value(run.rank[number]);
    return palette.value(run.relativeQuality(number));
  }
  var Layer = class {
    constructor(run) {
      this.run = run;
      this.canvas = document.createElement("canvas");
      this.key = "";
    }
    /**
     * Draw all individuals before `end`.
     * @param {number} end
     * @param {Plane} plane
     * @param {{width: number, height: number, ratio: number}} size
     * @param {string} mode "species", "score" or "quality".
     * @param {Palette} palette
     * @param {Focus|null} focus Individuals that stand out, null if none do.
     * @returns {HTMLCanvasElement}
     */
    upTo(end, plane, { width, height, ratio }, mode, palette, focus) {
      const place = [plane.offsetX, plane.scaleX, plane.offsetY, plane.scaleY, ...this.run.plane];
      const key = [width, height, ratio, mode, palette.theme, ...place, focus && focus.key].join();
      if (key !== this.key || end < this.drawn) this.restart(key, width * ratio, height * ratio);
      if (end === this.drawn) return this.canvas;
      const side = Math.max(1, Math.round((focus ? 2.2 : 1.7) * ratio));
      const colours = this.coloursOf(mode, palette);
      if (focus) {
        const grey = new Uint32Array(1).fill(packed(palette.unknown));
        this.paint(end, plane, ratio, side, grey, OUTSIDE, (number) => !focus.has(number));
        this.paint(end, plane, ratio, side, colours, STRONG2, focus.has);
      } else {
        this.paint(end, plane, ratio, side, colours, FAINT[palette.theme], null);
      }
      this.drawn = end;
      this.canvas.getContext("2d").putImageData(this.image, 0, 0);
      return this.canvas;
    }
    /** Paint the individuals from the last one drawn to `end` as squares; one colour for all, or one for each. */
    paint(end, plane, ratio, side, colours, alpha, included) {
      const pixels = new Uint32Array(this.image.data.buffer);
      const { width: across, height: down } = this.canvas;
      const { x, y } = this.run;
      const [scaleX, offsetX] = [plane.scaleX * ratio, plane.offsetX * ratio - side / 2];
      const [scaleY, offsetY] = [plane.scaleY * ratio, plane.offsetY * ratio - side / 2];
      const single = colours.length === 1;
      const opacity = alpha << 24;
      for (let number = this.drawn; number < end; number++) {
        if (included && !included(number)) continue;
        const left = Math.round(offsetX + scaleX * x[number]);
        const top = Math.round(offsetY + scaleY * y[number]);
        if (left < 0 || top < 0 || left + side > across || top + side > down) continue;
        const value = (opacity | colours[single ? 0 : number]) >>> 0;
        for (let row = top * across; row < (top + side) * across; row += across) {
          for (let column = left; column < left + side; column++) pixels[row + column] = value;
        }
      }
    }
    /** The colour of each individual as image data holds it, without opacity; kept until it changes. */
    coloursOf(mode, palette) {
      const key = [mode, palette.theme, this.run.count, this.run.qualityRange].join();
      if (key !== this.coloursKey) {
        const known = /* @__PURE__ */ new Map();
        this.colours = Uint32Array.from({ length: this.run.count }, (_, number) => {
          const hex = colourOf(this.run, number, mode, palette);
          if (!known.has(hex)) known.set(hex, packed(hex));
          return known.get(hex);
        });
        this.coloursKey = key;
      }
      return this.colours;
    }
    restart(key, width, height) {
      [this.canvas.width, this.canvas.height] = [Math.round(width), Math.round(height)];
      this.image = new ImageData(this.canvas.width, this.canvas.height);
      this.key = key;
      this.drawn = 0;
    }
  };
  function packed(hex) {
    const [red, green, blue] = rgb(hex);
    return blue << 16 | green << 8 | red;
  }

  // js/map.js
  var FRESH = 3;
  var NEAR = 12;
  var ROBOT_RADIUS = 8;
  var GOAL_RADIUS = 5;
  var MAZE_MARGINS = { left: 12, right: 12, top: 12, bottom: 12 };
  var MapView = class {
    constructor(run, canvas, palette) {
      this.canvas = canvas;
      this.palette = palette;
      this.setRun(run);
    }
    /** Show a run; a run that has grown keeps its layers. */
    setRun(run) {
      this.run = run;
      this.layer = new Layer(run);
      this.density = new Density(run);
      this.elites = new EliteGrid(run);
      this.image = run.background ? Object.assign(new Image(), { src: run.background }) : null;
    }
    draw(state) {
      const size = prepare(this.canvas);
      this.paint(size.context, size, state);
    }
    /** Draw the state on any context with the operations of a canvas, such as that of an SVG file. */
    paint(context, size, state) {
      const { run, palette } = this;
      const { width, height } = size;
      const evaluated = run.evaluatedBy(state.clock.moment);
      const generation = run.generationOf(Math.max(evaluated - 1, 0));
      this.plane = new Plane(run.bounds, width, height, Boolean(run.maze), run.maze ? MAZE_MARGINS : AXES_MARGINS, state.view);
      this.evaluated = evaluated;
      this.focus = focusOf(run, state);
      const memory = run.memoryOf(generation);
      this.oldest = state.memory && (run.hasPredictions || run.hasArchive) ? run.first[run.memoryAt[memory]] : 0;
      const selected = state.run === run.index ? state.individual : null;
      this.dimmed = selected === null ? 1 : 0.35;
      this.values = null;
      context.save();
      context.beginPath();
      const [left, top, right, bottom] = this.plane.box;
      if (!run.maze) {
        context.rect(left, top, right - left, bottom - top);
        context.clip();
      }
      this.drawBackground(context);
      this.drawPoints(context, size, state, evaluated);
      if (run.maze) this.drawMaze(context);
      if (state.memory && run.hasArchive) drawArchive(context, run, memory, this.plane, palette);
      if (state.layer === "points") this.drawFresh(context, evaluated, state);
      if (state.memory && run.hasPredictions) drawPredictions(context, run, memory, this.plane, palette);
      if (state.ancestry && state.ancestry.run === run.index) this.drawAncestry(context, state.ancestry);
      if (selected !== null) this.drawLineage(context, state);
      if (selected !== null) this.drawSelected(context, state);
      if (run.maze) this.nameStartAndGoal(context);
      if (run.solution !== null && evaluated > run.solution) this.drawSolution(context);
      if (state.hover && state.hover.run === run.index) this.drawHover(context, state.hover.number);
      if (state.brush) this.drawBrush(context, state.brush);
      context.restore();
      if (!run.maze) drawAxes(context, this.plane, run.axes, height, palette);
    }
    /** The individual nearest to a place on the canvas, null if none is near; of equally near ones the latest. */
    find(x, y) {
      let nearest = NEAR * NEAR;
      let found = null;
      const { run, plane, focus } = this;
      for (let number = this.oldest; number < this.evaluated; number++) {
        const distance2 = (plane.x(run.x[number]) - x) ** 2 + (plane.y(run.y[number]) - y) ** 2;
        if (distance2 <= nearest && (!focus || focus.has(number))) [nearest, found] = [distance2, number];
      }
      return found;
    }
    /** The place of an individual on the canvas. */
    at(number) {
      return [this.plane.x(this.run.x[number]), this.plane.y(this.run.y[number])];
    }
    screen([x, y]) {
      return [this.plane.x(x), this.plane.y(y)];
    }
    drawBackground(context) {
      const { image, run, plane } = this;
      if (!image || !image.complete || run.plane.join() !== run.backgroundPlane.join()) return;
      const [left, top, right, bottom] = run.bounds;
      const [x, y] = [plane.x(left), plane.y(bottom)];
      context.drawImage(image, x, y, plane.x(right) - x, plane.y(top) - y);
    }
    drawPoints(context, size, state, evaluated) {
      const { run, palette, plane, focus } = this;
      if (state.layer === "density") this.values = this.density.draw(context, evaluated, plane, palette, focus);
      else if (state.layer === "elites") this.values = this.elites.draw(context, evaluated, plane, palette, focus);
      else if (!this.oldest) {
        context.globalAlpha = this.dimmed;
        const settled = Math.max(evaluated - this.freshSpan(), 0);
        context.drawImage(this.layer.upTo(settled, plane, size, state.colour, palette, focus), 0, 0, size.width, size.height);
        context.globalAlpha = 1;
      }
    }
    freshSpan() {
      return Math.ceil(FRESH * this.run.generationSize / this.run.stride);
    }
    drawMaze(context) {
      const { maze } = this.run;
      const { ink, goal } = this.palette;
      context.strokeStyle = ink;
      context.lineWidth = 2;
      context.lineCap = "round";
      context.beginPath();
      for (const [x1, y1, x2, y2] of maze.walls) {
        context.moveTo(...this.screen([x1, y1]));
        context.lineTo(...this.screen([x2, y2]));
      }
      context.stroke();
      context.fillStyle = ink;
      disc(context, ...this.screen(maze.start), 5);
      context.fill();
      context.strokeStyle = goal;
      context.lineWidth = 2.5;
      disc(context, ...this.screen(maze.goal), this.goalRadius());
      context.stroke();
    }
    goalRadius() {
      return Math.max(GOAL_RADIUS * this.plane.scaleX, 6);
    }
    nameStartAndGoal(context) {
      const { maze } = this.run;
      const { ink, goal, panel } = this.palette;
      const { box } = this.plane;
      label(context, "start", ...this.screen(maze.start), 9, ink, panel, box);
      label(context, "goal", ...this.screen(maze.goal), this.goalRadius() + 4, goal, panel, box);
    }
    drawFresh(context, evaluated, state) {
      const span = this.freshSpan();
      const { run, palette, focus } = this;
      for (let number = Math.max(evaluated - span, this.oldest, 0); number < evaluated; number++) {
        const age = this.oldest ? 0 : (evaluated - number) / span;
        const outside = focus && !focus.has(number);
        context.globalAlpha = outside ? 0.12 : this.dimmed * (1 - 0.7 * age);
        context.fillStyle = outside ? palette.unknown : colourOf(run, number, state.colour, palette);
        disc(context, ...this.at(number), this.oldest ? 2.6 : 3 - 1.2 * age);
        context.fill();
      }
      context.globalAlpha = 1;
    }
    drawSolution(context) {
      const [x, y] = this.at(this.run.solution);
      const { goal, panel } = this.palette;
      star(context, x, y, 8);
      context.fillStyle = goal;
      context.strokeStyle = panel;
      context.lineWidth = 1.5;
      context.fill();
      context.stroke();
      const below = this.run.maze ? Math.max(y, this.plane.y(this.run.maze.goal[1])) : y;
      const text = `first solution, ${count(this.run.evaluation(this.run.solution))}`;
      label(context, text, x, Math.abs(below - y) < 40 ? below + 15 : y, 11, goal, panel, this.plane.box, true);
    }
    /** Ancestors of the individuals in a brushed rectangle. */
    drawAncestry(context, { ancestors }) {
      context.fillStyle = this.palette.ink;
      context.globalAlpha = 0.55;
      this.squares(context, ancestors);
      context.globalAlpha = 1;
    }
    squares(context, numbers) {
      context.beginPath();
      for (const number of numbers) {
        const [x, y] = this.at(number);
        context.rect(x - 1.2, y - 1.2, 2.4, 2.4);
      }
      context.fill();
    }
    /** Behaviours of the ancestors of an individual: first parents joined in order, the others faint. */
    drawLineage(context, { lineage }) {
      const { ink, panel } = this.palette;
      context.strokeStyle = context.fillStyle = ink;
      context.globalAlpha = 0.5;
      context.lineWidth = 1;
      this.squares(context, lineage.all);
      const stored = this.run.stones && this.run.stones.length && lineage.tip === this.run.solution;
      const stones = stored ? this.run.stones.map((stone) => this.screen(stone)) : lineage.line.map((number) => this.at(number));
      context.setLineDash([5, 4]);
      line(context, stones);
      context.setLineDash([]);
      context.globalAlpha = 1;
      context.lineWidth = 1.4;
      stones.forEach((stone) => {
        disc(context, ...stone, 4);
        context.fillStyle = panel;
        context.fill();
        context.stroke();
      });
    }
    drawSelected(context, state) {
      const { ink, panel, trajectory } = this.palette;
      const trail = state.drive ? state.drive.poses : this.run.trajectory(state.individual);
      if (trail) {
        context.lineJoin = "round";
        this.trail(context, trail, panel, 4);
        this.trail(context, trail, trajectory, 1.3);
      }
      if (state.drive) {
        this.trail(context, trail.slice(0, state.step + 1), trajectory, 3);
        this.drawRobot(context, state.drive, state.step);
      }
      const [x, y] = this.at(state.individual);
      context.strokeStyle = panel;
      context.lineWidth = 5;
      disc(context, x, y, 7);
      context.stroke();
      context.strokeStyle = ink;
      context.lineWidth = 2;
      context.stroke();
    }
    /** The robot in one step of its drive, with its rangefinders and the radar that detects the goal. */
    drawRobot(context, drive, step) {
      const { ink, panel, sensor, goal } = this.palette;
      const [x, y, heading] = drive.poses[step];
      const inputs = drive.senses[step];
      const [centreX, centreY] = this.screen([x, y]);
      const radius = ROBOT_RADIUS * this.plane.scaleX;
      context.strokeStyle = context.fillStyle = sensor;
      context.lineWidth = 1.2;
      RAYS.forEach((angle, ray) => {
        const towards = (heading + angle) * Math.PI / 180;
        const reach = inputs[1 + ray] * REACH;
        const end = this.screen([x + reach * Math.cos(towards), y + reach * Math.sin(towards)]);
        line(context, [[centreX, centreY], end]);
        if (inputs[1 + ray] < 1) {
          disc(context, ...end, 2.4);
          context.fill();
        }
      });
      const active = inputs.indexOf(1, 7) - 7;
      const middle = (heading + 90 * active) * Math.PI / 180;
      context.strokeStyle = goal;
      context.lineWidth = 3.5;
      context.beginPath();
      context.arc(centreX, centreY, radius + 5, middle - Math.PI / 4, middle + Math.PI / 4);
      context.stroke();
      disc(context, centreX, centreY, radius);
      context.fillStyle = panel;
      context.fill();
      context.strokeStyle = ink;
      context.lineWidth = 1.8;
      context.stroke();
      const ahead = heading * Math.PI / 180;
      line(context, [
        [centreX, centreY],
        [centreX + radius * Math.cos(ahead), centreY + radius * Math.sin(ahead)]
      ]);
    }
    drawHover(context, number) {
      const { ink, panel } = this.palette;
      const trail = this.run.trajectory(number);
      if (trail) {
        this.trail(context, trail, panel, 3.5);
        this.trail(context, trail, ink, 1.2);
      }
      context.strokeStyle = ink;
      context.lineWidth = 2;
      disc(context, ...this.at(number), 6);
      context.stroke();
    }
    drawBrush(context, { box }) {
      const [[left, top], [right, bottom]] = [this.screen([box[0], box[1]]), this.screen([box[2], box[3]])];
      const { ink } = this.palette;
      context.strokeStyle = context.fillStyle = ink;
      context.lineWidth = 1.2;
      context.globalAlpha = 0.06;
      context.fillRect(left, top, right - left, bottom - top);
      context.globalAlpha = 1;
      context.setLineDash([4, 3]);
      context.strokeRect(left, top, right - left, bottom - top);
      context.setLineDash([]);
    }
    trail(context, points, colour, width) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      line(context, points.map((point) => this.screen(point)));
    }
    /** Individuals in the focus so far, all if there is no focus. */
    inFocus() {
      return members(this.focus || { has: () => true }, this.evaluated);
    }
  };
  function describe(run, number) {
    const parts = [
      `${run.noun} ${count(run.evaluation(number))}`,
      `generation ${run.generation[run.generationOf(number)]}`,
      `${run.measure} ${figure(run.quality[number])}`
    ];
    if (run.hasScores) parts.push(`score ${figure(run.score[number])}`);
    if (run.species[number] >= 0) parts.push(`species ${run.species[number]}`);
    return parts;
  }

  // js/panel.js
  var Panel = class {
    /** @param {Run} run @param {Palette} palette @param {object} actions See Explorer. */
    constructor(run, palette, actions) {
      Object.assign(this, { run, palette, actions });
      this.canvas = element("canvas", { class: "map", tabindex: 0, role: "img", "aria-label": `Map of ${run.title}` });
      this.tip = element("div", { class: "tip", role: "status", hidden: true });
      this.legend = element("div", { class: "legend" });
      this.status = element("span", { class: "status" });
      this.sample = lineSample(palette.dash(run.search));
      this.map = new MapView(run, this.canvas, palette);
      this.brushTool = button("▭", () => actions.toggleBrush(), { class: "tool", title: "Select a rectangle (B, or shift and drag)", "aria-label": "Select a rectangle" });
      this.reset = button("⤢", () => actions.setView({ x: 0.5, y: 0.5, zoom: 1 }), { class: "tool", title: "Reset the view (double click)", "aria-label": "Reset the view" });
      const magnify = (factor) => () => {
        const { canvas, map } = this;
        actions.setView(zoomed(actions.view(), factor, map.plane, [canvas.clientWidth / 2, canvas.clientHeight / 2]));
      };
      this.element = element(
        "article",
        { class: "run", "aria-label": run.title },
        element(
          "header",
          {},
          element("h2", {}, this.sample, run.title),
          this.status,
          element(
            "div",
            { class: "tools", role: "group", "aria-label": "Tools of the map" },
            button("+", magnify(1.6), { class: "tool magnify", title: "Zoom in (wheel, pinch)", "aria-label": "Zoom in" }),
            button("−", magnify(1 / 1.6), { class: "tool magnify", title: "Zoom out", "aria-label": "Zoom out" }),
            this.reset,
            this.brushTool
          )
        ),
        element("div", { class: "stage" }, this.canvas, this.tip),
        this.legend
      );
      this.gestures = new Gestures(this.canvas, {
        plane: () => this.map.plane,
        view: actions.view,
        setView: actions.setView,
        brushing: actions.brushing,
        brush: (box) => actions.brush(run.index, box),
        hover: (x, y) => actions.hover(run.index, this.map.find(x, y)),
        leave: () => actions.hover(run.index, null),
        click: (x, y) => this.click(x, y)
      });
    }
    /** Show a run that has grown. */
    setRun(run) {
      this.run = run;
      this.map.setRun(run);
    }
    click(x, y) {
      const found = this.map.find(x, y);
      if (found !== null) this.actions.select(this.run.index, found);
      else this.actions.clear(this.run.index);
    }
    draw(state) {
      this.map.draw(state);
      this.sample.style.color = this.palette.search(this.run.search);
      this.showTip(state.hover);
      this.showStatus(state);
      this.brushTool.setAttribute("aria-pressed", state.brushing);
      this.reset.disabled = state.view.zoom === 1;
      this.canvas.classList.toggle("brushing", state.brushing);
      this.showLegend(state);
    }
    /** Write the longest form of the status that fits; the clock has the evaluations, too. */
    showStatus(state) {
      const forms = this.statusOf(state);
      const key = [this.element.clientWidth, forms[0]].join();
      if (this.status.dataset.key === key) return;
      this.status.dataset.key = key;
      for (const form of forms) {
        setText(this.status, form);
        if (this.status.scrollWidth <= this.status.clientWidth) return;
      }
    }
    /** The status of the run at the moment, from the longest form to the shortest. */
    statusOf({ clock }) {
      const { run, map } = this;
      const generation = count(run.generation[run.generationOf(Math.max(map.evaluated - 1, 0))]);
      const evaluations = Math.min(Math.floor(clock.moment), run.evaluations);
      const unfinished = evaluations < run.evaluations || run.live || run.solution === null && !run.maze;
      const outcome = unfinished ? "" : run.solution === null ? ", not solved" : ", solved";
      const forms = [`generation ${generation}, ${count(evaluations)} evaluations`, `generation ${generation}`, `gen ${generation}`];
      return [...forms.map((form) => form + outcome), `gen ${generation}`];
    }
    showTip(hover) {
      const { tip, run } = this;
      tip.hidden = !hover || hover.run !== run.index;
      if (tip.hidden) return;
      const key = `${hover.number}`;
      if (tip.dataset.key !== key) {
        tip.dataset.key = key;
        tip.replaceChildren(...describe(run, hover.number).map((part) => element("span", {}, part)));
      }
      const [x, y] = this.map.at(hover.number);
      const room = this.canvas.clientWidth - tip.offsetWidth;
      tip.style.left = `${Math.max(0, Math.min(x + 12, room))}px`;
      tip.style.top = `${y > this.canvas.clientHeight / 2 ? y - tip.offsetHeight - 12 : y + 12}px`;
    }
    showLegend(state) {
      const { run, map } = this;
      const generation = run.generationOf(Math.max(map.evaluated - 1, 0));
      const chosen = state.individual !== null && state.run === run.index;
      const highlighted = state.species && state.species.run === run.index ? state.species.id : null;
      const key = [generation, state.colour, state.memory, state.layer, chosen, map.values, highlighted, this.palette.theme, run.count].join();
      if (this.legend.dataset.key === key) return;
      this.legend.dataset.key = key;
      const marks = [...this.colourLegend(state, generation, highlighted)];
      if (state.memory) marks.push(...this.memoryLegend(generation));
      if (chosen && (run.hasParents || run.stones && run.stones.length)) marks.push(mark("ancestor", "ancestors"));
      if (chosen && run.maze) marks.push(mark("trajectory", "trajectory"));
      this.legend.replaceChildren(...marks);
    }
    colourLegend(state, generation, highlighted) {
      const { run, palette, map } = this;
      if (state.layer === "density") return [this.bar(count(map.values[0]), `${count(map.values[1])} visits`)];
      if (state.layer === "elites") {
        const [low2, high2] = run.smaller ? [map.values[1], map.values[0]] : map.values;
        return [this.bar(figure(low2), figure(high2), `best ${run.measure} in each cell`)];
      }
      if (state.colour === "species" && run.hasSpecies) return this.speciesLegend(generation, highlighted);
      if (state.colour === "species") return [mark("point", run.noun, palette.unknown)];
      if (state.colour === "score") return [this.bar("0%", "100%", "of its generation have a lower score")];
      const [low, high] = run.qualityRange;
      return [this.bar(figure(run.smaller ? high : low), figure(run.smaller ? low : high), run.measure)];
    }
    /** The value ramp with numbers at its ends. */
    bar(low, high, meaning = "") {
      const ramp = element("span", { class: "ramp", style: `background:linear-gradient(90deg,${this.palette.ramp.join()})` });
      return element("span", { class: "meaning" }, low, ramp, high, meaning ? element("span", { class: "soft" }, meaning) : "");
    }
    speciesLegend(generation, highlighted) {
      const { run, palette } = this;
      const pairs = speciesBySize(run, generation);
      const chips = pairs.slice(0, MOST_SPECIES).map(([id, size]) => {
        const chip = mark("point", `${id}: ${size}`, palette.species(run, id));
        chip.classList.add("chip");
        chip.classList.toggle("on", id === highlighted);
        chip.addEventListener("pointerenter", () => this.actions.highlight(run.index, id));
        chip.addEventListener("pointerleave", () => this.actions.highlight(run.index, null));
        chip.addEventListener("click", () => this.actions.pin(run.index, id));
        return chip;
      });
      const rest = pairs.length - chips.length;
      const more = rest > 0 ? [element("span", { class: "meaning soft" }, `and ${rest} smaller`)] : [];
      return [element("span", { class: "soft" }, "species: members"), ...chips, ...more];
    }
    memoryLegend(generation) {
      const { run } = this;
      const memory = run.memoryOf(generation);
      const marks = [];
      if (run.centroids0.length) marks.push(mark("centroid", "cluster centroid"));
      if (run.centroids0.length && hasMoves(run, memory)) marks.push(mark("arrow", "its last move"));
      if (run.predictions0.length) marks.push(mark("prediction", "prediction"), mark("empty", "of an empty cluster"));
      if (run.hasArchive) {
        marks.push(mark("archive", `archive: ${count(archived(run, memory).length)}`));
        if (run.dimensions.length === 2 && run.threshold[memory] > 0) marks.push(mark("threshold", `within the threshold ${figure(run.threshold[memory])}`));
      }
      if (!marks.length) marks.push(element("span", { class: "meaning soft" }, "no predictions, no archive"));
      return marks;
    }
  };

  // js/phylogeny.js
  function speciesOf(run) {
    const lives = livesOf(run);
    return (run.speciesId ? storedSpecies(run) : countedSpecies(run)).filter(({ id }) => lives.has(id)).map((species) => ({ ...species, ...lives.get(species.id) })).sort((a, b) => a.from - b.from || a.id - b.id);
  }
  function storedSpecies(run) {
    return Array.from(run.speciesId, (id, place) => ({ id, parent: run.speciesParent[place], members: run.speciesMembers[place], best: run.speciesBest[place] }));
  }
  function countedSpecies(run) {
    const found = /* @__PURE__ */ new Map();
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
  function livesOf(run) {
    const lives = /* @__PURE__ */ new Map();
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
  function phylogenyOrder(species) {
    const known = new Set(species.map(({ id }) => id));
    const children = /* @__PURE__ */ new Map();
    const roots = [];
    for (const one of species) {
      if (one.parent === NONE || !known.has(one.parent)) roots.push(one);
      else children.set(one.parent, [...children.get(one.parent) || [], one]);
    }
    const order = [];
    const visit = (one) => {
      order.push(one);
      (children.get(one.id) || []).forEach(visit);
    };
    roots.forEach(visit);
    return order.length === species.length ? order : species;
  }
  var SpeciesAreas = class extends Chart {
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
        return [0, ...sizes.map((size) => level += size / total)];
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
  };
  var Phylogeny = class extends Chart {
    setRun(run, highlighted) {
      Object.assign(this, { run, highlighted });
      if (this.speciesOf === run) return;
      this.speciesOf = run;
      this.species = phylogenyOrder(speciesOf(run));
      this.rows = new Map(this.species.map(({ id }, row) => [id, row]));
      this.canvas.style.height = `${Math.min(Math.max(this.species.length * 11 + 10, 60), 320)}px`;
    }
    y(row, height) {
      return 6 + (row + 0.5) / this.species.length * (height - 12);
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
        context.lineWidth = Math.min(2 + largest / 25, Math.max(2, 0.7 * (height - 12) / this.species.length));
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
      const row = Math.round((y - 6) / (height - 12) * this.species.length - 0.5);
      const species = this.species[Math.min(Math.max(row, 0), this.species.length - 1)];
      return species && Math.abs(this.y(row, height) - y) < 9 ? species.id : null;
    }
  };
  function describeSpecies(run, { id, from, to, parent, members: members2 }) {
    const origin = parent === NONE ? "from the first generation" : `from species ${parent}`;
    const end = to >= run.evaluations ? "to the end" : `to ${count(to)}`;
    return `Species ${id}, ${origin}: ${count(members2)} individuals, evaluations ${count(from)} ${end}`;
  }

  // js/tabs.js
  var MOST_ROWS = 12;
  var RunTab = class {
    constructor(root, explorer) {
      Object.assign(this, { root, explorer });
      this.key = "";
    }
    draw(state) {
      const run = this.explorer.runs[state.focus];
      const { map } = this.explorer.panels[state.focus];
      const key = [state.focus, map.focus && map.focus.key, map.focus && map.evaluated, run.count, this.explorer.palette.theme, state.live].join();
      if (key === this.key) return;
      this.key = key;
      const parts = [this.about(run)];
      if (state.brush || map.focus) parts.unshift(this.selection(run, map, state));
      if (run.alternatives) parts.push(run.alternatives());
      this.root.replaceChildren(...parts);
    }
    about(run) {
      const best = run.best[run.count - 1];
      const rows = [
        ["search", run.searchName || run.title],
        ...run.settings || [],
        ["evaluations", count(run.evaluations)],
        ["generations", count(run.first.length)],
        [`best ${run.measure}`, figure(run.quality[best])]
      ];
      return element(
        "section",
        {},
        element("h3", {}, run.title),
        element("p", { class: "facts" }, run.facts),
        run.remark ? element("p", { class: "remark" }, run.remark) : "",
        element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
        run.sentence ? element("p", { class: "soft" }, `${run.searchName || run.title} ${run.sentence}`) : "",
        button(run.solution === null ? "Select the best" : "Select the solution", () => this.explorer.select(run.index, run.solution ?? best), { class: "primary", id: "select-best" })
      );
    }
    selection(run, map, state) {
      const numbers = map.inFocus();
      const { ancestors, founders } = ancestorsOf(run, numbers);
      this.explorer.setAncestry(run.index, state.brush ? ancestors : []);
      const best = numbers.reduce((found, number) => found === null || run.isBetter(run.quality[number], run.quality[found]) ? number : found, null);
      const counts = /* @__PURE__ */ new Map();
      for (const number of numbers) counts.set(run.species[number], (counts.get(run.species[number]) || 0) + 1);
      const largest = [...counts].filter(([id]) => id >= 0).sort((a, b) => b[1] - a[1]);
      const rows = [["individuals", `${count(numbers.length)} of ${count(map.evaluated)}`]];
      if (numbers.length) {
        const [first, last] = [numbers[0], numbers[numbers.length - 1]];
        rows.push(["evaluations", `${count(run.evaluation(first))} to ${count(run.evaluation(last))}`]);
        rows.push([`best ${run.measure}`, button(figure(run.quality[best]), () => this.explorer.select(run.index, best), { class: "link" })]);
        if (run.hasParents) rows.push(["ancestors", `${count(ancestors.length)}, from ${count(founders)} of the first generation`]);
        if (largest.length) rows.push(["species", `${largest.length}: ${largest.slice(0, 5).map(([id, size]) => `${id} (${count(size)})`).join(", ")}`]);
      }
      return element(
        "section",
        { class: "selection" },
        element("header", {}, element("h3", {}, "Selection"), button("Clear", () => this.explorer.clearSelection(), { class: "quiet", id: "clear" })),
        element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
        button("Save as CSV", () => this.explorer.export("csv"), { id: "selection-csv" })
      );
    }
  };
  var SpeciesTab = class {
    constructor(root, explorer) {
      Object.assign(this, { root, explorer });
      const { palette } = explorer;
      const options = (name, height) => ({ name, height, limit: explorer.clock.limit, palette, seek: (moment) => explorer.seek(moment) });
      this.areas = new SpeciesAreas(options("", "areas"));
      this.tree = new Phylogeny(options("", "tree"));
      this.caption = element("p", { class: "soft caption" });
      this.list = element("div", {});
      for (const chart of [this.areas, this.tree]) {
        chart.canvas.addEventListener("pointermove", (event) => this.highlight(chart.find(event.offsetX, event.offsetY)));
        chart.canvas.addEventListener("pointerleave", () => this.highlight(null));
        chart.canvas.addEventListener("dblclick", (event) => explorer.pin(this.run.index, chart.find(event.offsetX, event.offsetY)));
      }
      this.content = element(
        "section",
        {},
        element("h3", {}, "Members of each species"),
        this.areas.canvas,
        element("h3", {}, "Phylogeny"),
        this.tree.canvas,
        this.caption,
        this.list
      );
      this.nothing = element("p", { class: "soft" });
      this.key = "";
    }
    highlight(id) {
      this.explorer.highlight(this.run.index, id);
    }
    draw(state) {
      this.run = this.explorer.runs[state.focus];
      const { run } = this;
      if (!run.hasSpecies) {
        setText(this.nothing, run.withoutRepeat || "This run has no species.");
        this.root.replaceChildren(this.nothing);
        return;
      }
      if (this.content.parentNode !== this.root) this.root.replaceChildren(this.content);
      const highlighted = state.species && state.species.run === run.index ? state.species.id : null;
      const version = [run.index, run.count, highlighted].join();
      for (const chart of [this.areas, this.tree]) {
        chart.limit = run.evaluations;
        chart.setRun(run, highlighted);
        chart.draw(Math.min(state.clock.moment, run.evaluations), version);
      }
      const chosen = highlighted === null ? null : this.tree.species.find(({ id }) => id === highlighted);
      setText(this.caption, chosen ? describeSpecies(run, chosen) : `${count(this.tree.species.length)} species. Point at one to isolate it, click in the table to keep it.`);
      this.showList(state, highlighted);
    }
    showList(state, highlighted) {
      const { run } = this;
      const generation = run.generationOf(run.individualAt(state.clock.moment));
      const { focus, evaluated } = this.explorer.panels[run.index].map;
      const brushed = state.brush ? focus : null;
      const key = [run.index, generation, highlighted, run.count, this.explorer.palette.theme, brushed && brushed.key + evaluated].join();
      if (key === this.key) return;
      this.key = key;
      const sizes = /* @__PURE__ */ new Map();
      for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) sizes.set(run.riverSpecies[pair], run.riverSize[pair]);
      const now = this.tree.species.filter(({ id }) => sizes.has(id)).sort((a, b) => sizes.get(b.id) - sizes.get(a.id));
      const selected = /* @__PURE__ */ new Map();
      if (brushed) for (const number of members(brushed, evaluated)) selected.set(run.species[number], (selected.get(run.species[number]) || 0) + 1);
      const rows = now.slice(0, MOST_ROWS).map((species) => {
        const { id, from, parent, best } = species;
        const row = element(
          "tr",
          { class: id === highlighted ? "on" : "" },
          element("td", {}, mark("point", String(id), this.explorer.palette.species(run, id))),
          element("td", {}, count(sizes.get(id))),
          ...brushed ? [element("td", {}, count(selected.get(id) || 0))] : [],
          element("td", {}, count(from)),
          element("td", {}, parent < 0 ? "–" : String(parent)),
          element("td", {}, figure(best))
        );
        row.addEventListener("click", () => this.explorer.pin(run.index, id));
        row.addEventListener("pointerenter", () => this.highlight(id));
        return row;
      });
      const rest = now.length - rows.length;
      const list = table(["species", "members", ...brushed ? ["selected"] : [], "founded", "from", "best"], rows, { class: "species" });
      list.addEventListener("pointerleave", () => this.highlight(null));
      this.list.replaceChildren(list, rest > 0 ? element("p", { class: "soft" }, `and ${count(rest)} smaller`) : "");
    }
  };
  var PredictionsTab = class {
    constructor(root, explorer) {
      Object.assign(this, { root, explorer });
      this.key = "";
    }
    draw(state) {
      const run = this.explorer.runs[state.focus];
      const memory = run.memoryOf(run.generationOf(run.individualAt(state.clock.moment)));
      const key = [run.index, run.count, this.explorer.palette.theme, run.plane].join();
      if (key !== this.key) {
        this.key = key;
        this.build(run);
      }
      for (const chart of this.charts) {
        chart.limit = run.evaluations;
        chart.draw(Math.min(state.clock.moment, run.evaluations), key);
      }
      if (!this.facts) return;
      this.showFacts(run, memory);
      setText(this.toggle, state.memory ? "Hide on the map" : "Show on the map");
    }
    build(run) {
      this.charts = [];
      this.facts = null;
      if (!run.hasPredictions && !run.hasArchive) {
        this.root.replaceChildren(element("p", { class: "soft" }, run.withoutRepeat || "This search keeps neither predictions nor an archive."));
        return;
      }
      this.facts = element("dl", {});
      const parts = [element("h3", {}, run.hasPredictions ? "Predictions of this generation" : "Archive in this generation"), this.facts];
      const x = Array.from(run.memoryAt, (generation) => run.evaluation(run.first[generation]) - 1);
      if (run.predictions0.length) {
        const errors = x.map((_, memory) => predictionError(run, memory));
        parts.push(this.chart("Mean distance from a prediction to the nearest individual", run, { x, y: errors }));
        parts.push(this.chart("Clusters without members", run, { x, y: x.map((_, memory) => emptyClusters(run, memory)), step: true }));
      }
      if (run.hasArchive) {
        parts.push(this.chart("Entries of the archive", run, { x, y: x.map((_, memory) => archived(run, memory).length), step: true }));
        if (run.threshold.some((value) => value > 0)) parts.push(this.chart("Threshold of the archive", run, { x, y: Array.from(run.threshold), step: true }));
      }
      this.toggle = button("Show on the map", () => this.explorer.toggle("memory"), { id: "show-memory" });
      parts.push(
        element("h3", {}, "Marks"),
        element(
          "div",
          { class: "marks" },
          ...run.centroids0.length ? [mark("centroid", "centroid of a cluster in the last generation")] : [],
          ...run.centroids0.length && x.some((_, memory) => hasMoves(run, memory)) ? [mark("before", "centroid one generation earlier"), mark("arrow", "move of the centroid")] : [],
          ...run.predictions0.length ? [mark("prediction", "predicted behaviour of this generation"), mark("empty", "prediction of a cluster without members")] : [],
          ...run.hasArchive ? [mark("archive", "entry of the archive"), mark("threshold", "region too close to an entry to be added")] : []
        ),
        this.toggle
      );
      this.root.replaceChildren(element("section", {}, ...parts));
    }
    chart(name, run, line2) {
      const options = { name, height: "medium", limit: run.evaluations, palette: this.explorer.palette, seek: (moment) => this.explorer.seek(moment) };
      const chart = new LineChart(options, () => [{ ...line2, colour: this.explorer.palette.prediction }]);
      chart.zero = true;
      this.charts.push(chart);
      return element("figure", {}, chart.canvas);
    }
    showFacts(run, memory) {
      const rows = [["generation", count(run.generation[run.memoryAt[memory]])]];
      const predictions = behaviours(run, "predictions", memory);
      if (run.predictions0.length) {
        rows.push(["predictions", predictions.length ? `${predictions.length}, ${emptyClusters(run, memory)} of empty clusters` : "none yet"]);
        if (predictions.length) rows.push(["nearest individual", `${figure(predictionError(run, memory))} away on average`]);
      }
      if (run.hasArchive) {
        rows.push(["archive", count(archived(run, memory).length)]);
        if (run.threshold[memory] > 0) rows.push(["threshold", figure(run.threshold[memory])]);
      }
      const key = rows.flat().join("|");
      if (this.facts.dataset.key === key) return;
      this.facts.dataset.key = key;
      this.facts.replaceChildren(...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    }
  };
  function emptyClusters(run, memory) {
    let empty = 0;
    for (let cluster = 0; cluster < run.predictionsCount[memory]; cluster++) empty += !isOccupied(run, memory, cluster);
    return empty;
  }

  // js/explorer.js
  var STEPS_A_SECOND = 60;
  var ADDRESS_EVERY = 400;
  var WHOLE = { x: 0.5, y: 0.5, zoom: 1 };
  var byId2 = (name) => document.getElementById(name);
  var Explorer = class {
    /** @param {Run[]} runs One run or two. @param {Palette} palette @param {string} prefix Of the address, after #. */
    constructor(runs, palette, prefix = "") {
      Object.assign(this, { runs, palette, prefix });
      shareQualityRange(runs);
      const limit = Math.max(...runs.map((run) => run.evaluations));
      this.clock = new Clock(limit, runs[0].generationSize);
      this.clock.seek(Math.min(...runs.map((run) => run.evaluations)));
      this.state = {
        clock: this.clock,
        colour: runs.some((run) => run.hasSpecies) ? "species" : "quality",
        layer: "points",
        memory: false,
        tab: "run",
        focus: 0,
        run: 0,
        individual: null,
        lineage: null,
        ancestry: null,
        drive: null,
        step: 0,
        driving: false,
        hover: null,
        species: null,
        pinned: null,
        view: WHOLE,
        brush: null,
        brushing: false,
        plane: null,
        theme: "auto"
      };
      this.actions = this.makeActions();
      this.panels = runs.map((run) => new Panel(run, palette, this.actions));
      byId2("maps").replaceChildren(...this.panels.map((panel) => panel.element));
      document.body.classList.toggle("two", runs.length > 1);
      this.curves = new Curves(byId2("curves"), runs, palette, this.actions);
      this.drawer = new Drawer(byId2("drawer"), runs, this.actions);
      const { panes } = this.drawer;
      this.tabs = {
        run: new RunTab(panes.run, this),
        individual: new IndividualTab(panes.individual, runs, palette, this.actions),
        species: new SpeciesTab(panes.species, this),
        predictions: new PredictionsTab(panes.predictions, this)
      };
      this.controls = new Controls(this);
      this.apply(fromHash(window.location.hash, runs, SPEEDS));
      this.observer = new ResizeObserver(() => this.resize());
      this.observer.observe(byId2("maps"));
      this.resize();
    }
    makeActions() {
      const names = ["seek", "hover", "select", "walk", "close", "focusOn", "openTab", "highlight", "pin", "setView", "toggleBrush", "resize"];
      const actions = Object.fromEntries(names.map((name) => [name, (...parts) => this[name](...parts)]));
      return Object.assign(actions, {
        view: () => this.state.view,
        brushing: () => this.state.brushing,
        brush: (run, box) => this.setBrush(run, box),
        clear: (run) => this.clear(run),
        step: (step) => this.setStep(step),
        drive: () => this.toggleDrive()
      });
    }
    /** Stop listening, so that another application can take the page. */
    dispose() {
      this.disposed = true;
      this.observer.disconnect();
      this.controls.dispose();
      clearTimeout(this.addressed);
      this.addressed = null;
    }
    // Actions
    apply(view) {
      const { state } = this;
      if (view.plane) this.setPlane(...view.plane);
      if (view.moment) this.clock.seek(view.moment);
      if (view.speed) this.clock.speed = view.speed;
      if (view.colour) state.colour = view.colour;
      Object.assign(state, { layer: view.layer, memory: view.memory, view: view.view, focus: view.focus ?? state.focus });
      if (view.brush) this.setBrush(view.brush.run, view.brush.box);
      state.pinned = state.species = view.species;
      this.controls.setTheme(view.theme || "auto");
      if (view.individual === void 0) {
        this.close();
      } else {
        this.select(view.run, view.of);
        this.select(view.run, view.individual);
        this.setStep(view.step);
      }
      state.tab = view.tab;
      this.change();
    }
    /** Show a run that has grown. */
    grow(index, run) {
      const atEnd = this.clock.moment >= this.clock.limit;
      this.runs[index] = run;
      shareQualityRange(this.runs);
      if (this.state.plane) run.choose(...this.state.plane);
      this.panels[index].setRun(run);
      this.clock.limit = Math.max(...this.runs.map(({ evaluations }) => evaluations));
      this.clock.generationSize = this.runs[0].generationSize;
      if (atEnd) this.clock.seek(this.clock.limit);
      this.curves.setRuns(this.runs);
      this.controls.limit();
      this.change();
    }
    seek(moment) {
      this.clock.seek(moment);
      this.change();
    }
    hover(run, number) {
      const { hover } = this.state;
      if (hover === null && number === null || hover && hover.run === run && hover.number === number) return;
      this.state.hover = number === null ? null : { run, number };
      this.change();
    }
    select(index, number) {
      const { state } = this;
      const run = this.runs[index];
      const known = state.lineage && state.run === index && state.lineage.line.includes(number);
      if (!known) state.lineage = lineageOf(run, number);
      Object.assign(state, { run: index, focus: index, individual: number, driving: false, tab: "individual" });
      state.drive = run.robotAt.has(number) ? new Drive(run, number) : null;
      state.step = state.drive ? state.drive.steps : 0;
      if (this.clock.moment < run.evaluation(number)) this.clock.seek(run.evaluation(number));
      this.drawer.reveal();
      this.change();
    }
    /** Along the lineage: -1 to the first parent, 1 to the child. */
    walk(by) {
      const { individual, lineage, run } = this.state;
      if (individual === null) return;
      const next = lineage.line[lineage.line.indexOf(individual) + by];
      if (next !== void 0) this.select(run, next);
    }
    close() {
      Object.assign(this.state, { individual: null, lineage: null, drive: null, driving: false, step: 0 });
      this.change();
    }
    /** A click beside all points: the run comes into the focus, a selection ends. */
    clear(run) {
      this.state.focus = run;
      this.clearSelection();
    }
    clearSelection() {
      Object.assign(this.state, { brush: null, ancestry: null, pinned: null, species: null });
      this.change();
    }
    setBrush(run, box) {
      Object.assign(this.state, { brush: { run, box, bounds: this.runs[run].bounds }, tab: "run", focus: run });
      this.change();
    }
    setAncestry(run, ancestors) {
      this.state.ancestry = ancestors.length ? { run, ancestors } : null;
      this.change();
    }
    toggleBrush() {
      this.state.brushing = !this.state.brushing;
      this.change();
    }
    setView(view) {
      this.state.view = view;
      this.change();
    }
    /** Show two other dimensions of the behaviours. */
    setPlane(across, up) {
      for (const run of this.runs) run.choose(across, up);
      Object.assign(this.state, { plane: [across, up], brush: null, ancestry: null, view: WHOLE });
      this.change();
    }
    focusOn(index) {
      this.state.focus = index;
      this.change();
    }
    openTab(name) {
      this.state.tab = name;
      this.change();
    }
    /** Isolate a species for as long as a pointer rests on it. */
    highlight(run, id) {
      const next = id === null ? this.state.pinned : { run, id };
      const { species } = this.state;
      if (species === next || species && next && species.run === next.run && species.id === next.id) return;
      this.state.species = next;
      this.change();
    }
    /** Keep a species isolated, or no longer. */
    pin(run, id) {
      const { pinned } = this.state;
      const same = pinned && pinned.run === run && pinned.id === id;
      this.state.pinned = this.state.species = same || id === null ? null : { run, id };
      this.change();
    }
    setStep(step) {
      const { state } = this;
      if (state.drive) state.step = Math.min(Math.max(step, 0), state.drive.steps);
      state.driving = false;
      this.change();
    }
    toggleDrive() {
      const { state } = this;
      if (!state.drive) return;
      state.driving = !state.driving;
      if (state.driving && state.step >= state.drive.steps) state.step = 0;
      this.driven = state.step;
      this.change();
    }
    set(name, value) {
      this.state[name] = value;
      this.change();
    }
    /** Switch the memory of the strategy on or off; with it individuals are coloured by score, afterwards as before. */
    toggle(name) {
      const { state } = this;
      state[name] = !state[name];
      if (name === "memory" && this.runs.some((run) => run.hasScores)) {
        if (state.memory) [this.colourBefore, state.colour] = [state.colour, "score"];
        else if (state.colour === "score" && this.colourBefore) state.colour = this.colourBefore;
      }
      this.change();
    }
    togglePlay() {
      this.clock.toggle();
      this.change();
    }
    changeSpeed(places) {
      this.clock.faster(places);
      this.change();
    }
    /** The colours that these runs have. */
    colours() {
      const needed = { species: "hasSpecies", score: "hasScores" };
      return COLOURS.filter((name) => !needed[name] || this.runs.some((run) => run[needed[name]]));
    }
    nextColour() {
      const names = this.colours();
      this.set("colour", names[(names.indexOf(this.state.colour) + 1) % names.length]);
    }
    nextLayer() {
      this.set("layer", LAYERS[(LAYERS.indexOf(this.state.layer) + 1) % LAYERS.length]);
    }
    /** Save the view as a file. */
    export(kind) {
      return save(kind, this.panels, this.state, this.palette);
    }
    resize() {
      if (this.disposed) return;
      const maps = byId2("maps");
      const [left, top, right, bottom] = this.runs[0].bounds;
      const shape = this.runs[0].maze ? (right - left) / (bottom - top) : 1.25;
      const beside = Math.min(maps.clientWidth / 2, maps.clientHeight * shape);
      const below = Math.min(maps.clientWidth, maps.clientHeight / 2 * shape);
      maps.classList.toggle("stacked", this.runs.length > 1 && below > beside);
      this.change();
    }
    // Drawing
    /** The state has changed: draw it in the next frame, and put it into the address soon. */
    change() {
      if (this.disposed) return;
      if (!this.frame) this.frame = requestAnimationFrame((now) => this.draw(now));
      if (!this.addressed) {
        this.addressed = setTimeout(() => {
          this.addressed = null;
          writeHash(this.hash());
        }, ADDRESS_EVERY);
      }
    }
    /** The view as the text of an address from # on. */
    hash() {
      return `#${this.prefix}${toHash(this.state).slice(1)}`;
    }
    draw(now) {
      this.frame = null;
      if (this.disposed) return;
      const { state, clock } = this;
      const seconds = Math.min((now - (this.before ?? now)) / 1e3, 0.1);
      clock.pass(seconds);
      if (state.driving) {
        this.driven += seconds * STEPS_A_SECOND;
        state.step = Math.min(Math.floor(this.driven), state.drive.steps);
        state.driving = state.step < state.drive.steps;
      }
      this.panels.forEach((panel) => panel.draw(state));
      this.curves.draw(state);
      this.drawer.draw(state);
      this.tabs[state.tab].draw(state);
      this.controls.draw(state);
      const moving = clock.playing || state.driving;
      this.before = moving ? now : void 0;
      if (moving) this.change();
    }
    /** What the clock shows. */
    reading() {
      return `${count(Math.floor(this.clock.moment))} of ${count(this.clock.limit)}`;
    }
  };

  // js/live.js
  var EVERY = 1e3;
  var MOST_FAILURES = 3;
  function follow(explorer, { live }) {
    const banner = element("span", { id: "live", role: "status" });
    document.querySelector(".top h1").after(banner);
    let { version } = live;
    let failures = 0;
    explorer.runs[0].live = true;
    async function update() {
      let answer;
      try {
        const response = await fetch(`/update?token=${live.token}&version=${version}`);
        answer = await response.json();
        failures = 0;
      } catch {
        failures++;
        if (failures < MOST_FAILURES) setTimeout(update, EVERY);
        else lost(explorer, banner);
        return;
      }
      if (answer.run) {
        ({ version } = answer);
        const run = new Run(answer.run, readArrays(answer.run.arrays, await unpack(answer.arrays)), 0);
        run.live = answer.status.state === "running";
        explorer.grow(0, run);
      }
      show(banner, answer.status);
      if (answer.status.state === "running" || answer.run) setTimeout(update, EVERY);
    }
    update();
  }
  function show(banner, status) {
    const parts = [status.state === "running" ? "running" : "finished", `${count(status.evaluations)} evaluations`];
    if (status.state === "running" && status.rate) parts.push(`${count(status.rate)} per second`);
    if (status.state === "running" && status.remaining) parts.push(`at most ${duration(status.remaining)} left`);
    banner.replaceChildren(
      element("span", { class: status.state }, "● "),
      parts.join(" · "),
      ...status.messages.map((message) => element("span", { class: "diagnosis" }, message))
    );
  }
  function lost(explorer, banner) {
    explorer.runs[0].live = false;
    const text = `stopped · no connection to the run; the page shows its first ${count(explorer.runs[0].evaluations)} evaluations`;
    banner.replaceChildren(element("span", { class: "stopped" }, "● "), text);
    explorer.change();
  }
  function duration(seconds) {
    if (seconds < 90) return `${count(seconds)} s`;
    return seconds < 5400 ? `${count(seconds / 60)} min` : `${count(seconds / 3600)} h`;
  }

  // js/outcomes.js
  function drawOutcomes(context, { width, height }, batch, shown, palette) {
    const groups = batch.groups.filter(({ name }) => shown.has(name));
    const curves = groups.map((group) => ({ ...batch.anySolved ? survivalOf(group) : batch.quartiles(group.name), group }));
    const range2 = batch.anySolved ? [0, 1] : rangeOf(curves);
    const [left, right, top, bottom] = [48, width - 14, 10, height - 34];
    const x = (evaluations) => left + evaluations / batch.limit * (right - left);
    const y = (value) => bottom - (value - range2[0]) / (range2[1] - range2[0] || 1) * (bottom - top);
    const levels = batch.anySolved ? [0, 0.25, 0.5, 0.75, 1] : ticks(...range2, Math.max(2, (bottom - top) / 45));
    context.font = "10px system-ui, sans-serif";
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.fillStyle = palette.soft;
    context.textAlign = "right";
    for (const level of levels) {
      context.beginPath();
      context.moveTo(left, Math.round(y(level)) + 0.5);
      context.lineTo(right, Math.round(y(level)) + 0.5);
      context.stroke();
      context.fillText(batch.anySolved ? `${Math.round(100 * level)}%` : figure(level), left - 5, y(level) + 3);
    }
    context.textAlign = "center";
    for (const tick of ticks(0, batch.limit, Math.max(2, (right - left) / 80))) context.fillText(count(tick), x(tick), bottom + 14);
    context.fillStyle = palette.ink;
    context.font = "11px system-ui, sans-serif";
    context.fillText("evaluations", (left + right) / 2, height - 5);
    context.textAlign = "start";
    for (const curve of curves) drawCurve(context, curve, x, y, palette, batch.groups);
  }
  function survivalOf({ survival }) {
    return { x: survival.evaluations, low: survival.low, median: survival.fraction, high: survival.high };
  }
  function rangeOf(curves) {
    const values = curves.flatMap(({ low, high }) => [...low, ...high]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return least < most ? [least, most] : [least - 1, most + 1];
  }
  function drawCurve(context, curve, x, y, palette, groups) {
    const { search, name } = curve.group;
    const steps = (values) => curve.x.flatMap((evaluations, k) => k ? [[evaluations, values[k - 1]], [evaluations, values[k]]] : [[evaluations, values[k]]]);
    context.fillStyle = context.strokeStyle = palette.search(search);
    context.globalAlpha = 0.14;
    context.beginPath();
    for (const [evaluations, value] of steps(curve.high)) context.lineTo(x(evaluations), y(value));
    for (const [evaluations, value] of steps(curve.low).reverse()) context.lineTo(x(evaluations), y(value));
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.setLineDash(groups.some((other) => other.search === search && other.name !== name) ? [] : palette.dash(search));
    context.beginPath();
    for (const [evaluations, value] of steps(curve.median)) context.lineTo(x(evaluations), y(value));
    context.stroke();
    context.setLineDash([]);
  }

  // js/overview.js
  var byId3 = (name) => document.getElementById(name);
  var KINDS = { runs: "runs that visited a cell", visits: "visits of a cell", final: "visits in the last generation", stones: "runs with a stepping stone in a cell" };
  var MARGINS = { left: 10, right: 10, top: 10, bottom: 10 };
  var THEMES2 = ["auto", "light", "dark"];
  var THEME_SIGNS2 = { auto: "◐", light: "☀", dark: "☾" };
  var Overview = class {
    /** @param {Batch} batch @param {Palette} palette */
    constructor(batch, palette) {
      Object.assign(this, { batch, palette, kind: "runs", theme: "auto", explorer: null });
      this.shown = new Set(batch.groups.map(({ name }) => name));
      this.compared = [];
      this.build();
      this.listen();
      followHost((theme) => {
        this.hostTheme = theme;
        this.setTheme(this.theme);
      });
    }
    build() {
      const { batch } = this;
      this.survival = element("canvas", { class: "survival", role: "img", "aria-label": batch.anySolved ? "Fraction of runs solved over evaluations" : `Best ${batch.measure} over evaluations` });
      this.map = element("canvas", { class: "heat", role: "img", "aria-label": "Map of all runs" });
      this.tip = element("div", { class: "tip", hidden: true });
      this.kinds = element(
        "select",
        { id: "kind", "aria-label": "Values of the cells", onchange: (event) => this.setKind(event.target.value) },
        ...Object.entries(KINDS).filter(([name]) => name !== "stones" || batch.hasStones).map(([name, text]) => element("option", { value: name }, text))
      );
      this.bar = element("span", { class: "meaning" });
      this.chips = batch.groups.map(
        (group) => button("", () => this.toggleGroup(group.name), { class: "group", title: group.sentence ? `${group.title} ${group.sentence}` : group.title })
      );
      this.image = batch.background ? Object.assign(new Image(), { src: batch.background, onload: () => this.draw() }) : null;
      this.multiples = element("div", { class: "multiples", id: "multiples" });
      this.hint = element("span", { class: "soft", id: "hint" }, "Click a run to open it; shift and click two runs to compare them.");
      byId3("overview").replaceChildren(
        element("figure", { class: "card" }, element("figcaption", {}, element("h2", {}, batch.anySolved ? "Runs solved" : `Best ${batch.measure}, median and quartiles`), element("div", { class: "groups" }, ...this.chips)), element("div", { class: "stage" }, this.survival)),
        element("figure", { class: "card" }, element("figcaption", {}, element("h2", {}, "All runs"), this.kinds, this.bar), element("div", { class: "stage" }, this.map, this.tip)),
        element("section", { class: "card outcome" }, element("header", { class: "row" }, element("h2", {}, "Runs by outcome"), this.hint), this.multiples)
      );
      byId3("about").replaceChildren(...batch.groups.filter(({ sentence }) => sentence).map(({ title, sentence }) => element("p", {}, element("strong", {}, title), ` ${sentence}`)));
    }
    listen() {
      this.map.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
      this.map.addEventListener("pointerleave", () => this.tip.hidden = true);
      byId3("back").addEventListener("click", () => this.open([]));
      byId3("theme").addEventListener("click", () => this.explorer || this.setTheme(THEMES2[(THEMES2.indexOf(this.theme) + 1) % THEMES2.length]));
      byId3("help-button").addEventListener("click", () => this.explorer || byId3("help").showModal());
      byId3("save-png").addEventListener("click", () => this.explorer || this.savePng());
      byId3("save-csv").addEventListener("click", () => this.explorer || this.saveCsv());
      window.addEventListener("hashchange", () => this.readAddress());
      new ResizeObserver(() => this.draw()).observe(byId3("overview"));
      window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.theme));
      window.addEventListener("keydown", (event) => event.key === "Escape" && this.explorer && this.explorer.state.individual === null && !this.explorer.state.brush && this.open([]));
    }
    readAddress() {
      const { hash } = window.location;
      const parts = new URLSearchParams(hash.slice(1));
      const wanted = (parts.get("open") || "").split("_").filter(Boolean).map((text) => Number(text) - 1);
      const indices = wanted.filter((index) => this.batch.runs[index]).slice(0, 2);
      if (Array.from(this.kinds.options, ({ value }) => value).includes(parts.get("kind"))) this.kind = this.kinds.value = parts.get("kind");
      const shown = (parts.get("groups") || "").split("_").map((text) => this.batch.groups[Number(text) - 1]).filter(Boolean);
      if (shown.length) this.shown = new Set(shown.map(({ name }) => name));
      if (this.explorer && indices.join() === this.opened.join()) this.explorer.apply(fromHash(hash, this.explorer.runs, SPEEDS));
      else return this.open(indices, hash);
    }
    // Actions
    /** Open one run or two, in the view of an address; none shows the overview. */
    async open(indices, hash = "") {
      if (this.explorer) this.explorer.dispose();
      this.explorer = null;
      document.body.classList.toggle("overview", !indices.length);
      byId3("overview").hidden = Boolean(indices.length);
      byId3("back").hidden = !indices.length;
      this.compared = [];
      this.opened = indices;
      const prefix = `open=${indices.map((index) => index + 1).join("_")}&`;
      if (!indices.length) this.writeAddress();
      else if (!hash) writeHash(`#${prefix}${this.theme === "auto" ? "" : `theme=${this.theme}`}`);
      if (indices.length) {
        const runs = await Promise.all(indices.map((index, place) => this.batch.run(index, place)));
        if (this.opened !== indices) return;
        this.explorer = window.explorer = new Explorer(runs, this.palette, prefix);
        setText(document.querySelector("h1"), runs.map(({ title }) => title).join(" and "));
      } else {
        setText(document.querySelector("h1"), document.title);
        this.drawn = "";
        this.draw();
      }
    }
    /** Put the values of the cells and the groups into the address. */
    writeAddress() {
      const places = this.batch.groups.flatMap(({ name }, place) => this.shown.has(name) ? [place + 1] : []);
      const parts = new URLSearchParams();
      if (this.kind !== "runs") parts.set("kind", this.kind);
      if (places.length < this.batch.groups.length) parts.set("groups", places.join("_"));
      writeHash(`#${parts}`);
    }
    choose(index, event) {
      if (!event.shiftKey) {
        this.open([index]);
        return;
      }
      this.compared = this.compared.includes(index) ? this.compared.filter((other) => other !== index) : [...this.compared, index];
      if (this.compared.length === 2) this.open(this.compared);
      else this.drawMultiples();
    }
    toggleGroup(name) {
      if (this.shown.has(name) && this.shown.size === 1) this.shown = new Set(this.batch.groups.map((group) => group.name));
      else if (this.shown.size === this.batch.groups.length) this.shown = /* @__PURE__ */ new Set([name]);
      else if (!this.shown.delete(name)) this.shown.add(name);
      this.writeAddress();
      this.draw();
    }
    setKind(kind) {
      this.kind = this.kinds.value = kind;
      this.writeAddress();
      this.draw();
    }
    setTheme(theme) {
      this.theme = theme;
      const shown = theme === "auto" ? this.hostTheme : theme;
      if (shown) document.documentElement.dataset.theme = shown;
      else delete document.documentElement.dataset.theme;
      setText(byId3("theme"), THEME_SIGNS2[theme]);
      this.palette.read();
      this.draw();
    }
    // Drawing
    draw() {
      if (byId3("overview").hidden || !this.survival.clientWidth) return;
      this.batch.groups.forEach((group, place) => this.drawChip(this.chips[place], group));
      const survival = prepare(this.survival);
      drawOutcomes(survival.context, survival, this.batch, this.shown, this.palette);
      const map = prepare(this.map);
      this.drawMap(map.context, map);
      this.drawMultiples();
    }
    drawChip(chip, { name, title, search }) {
      const runs = this.batch.runs.filter((run) => run.group === name);
      chip.setAttribute("aria-pressed", this.shown.has(name));
      const sample = element("span", { class: "sample", style: `background:${this.palette.search(search)}` });
      const solved = runs.filter((run) => run.solved).length;
      chip.replaceChildren(sample, this.batch.anySolved ? `${title}: ${solved} of ${runs.length}` : `${title}: ${runs.length} runs`);
    }
    drawMap(context, { width, height }) {
      const { batch } = this;
      this.plane = new Plane(batch.bounds, width, height, Boolean(batch.maze), batch.maze ? MARGINS : AXES_MARGINS);
      const { values, runs } = batch.cellValues(this.kind, this.shown);
      Object.assign(this, { values, valuesOf: runs });
      const most = values.reduce((high, value) => Math.max(high, value), 1);
      const linear = this.kind === "runs" || this.kind === "stones";
      const fraction = (value) => linear ? value / most : most > 1 ? Math.log(value) / Math.log(most) : 0;
      if (this.image && this.image.complete) this.drawBackground(context);
      this.drawCells(context, values, this.plane, fraction);
      if (batch.maze) this.drawMaze(context, this.plane, 2, 5);
      else drawAxes(context, this.plane, batch.dimensions.map(({ name }) => name), height, this.palette);
      const ramp = element("span", { class: "ramp", style: `background:linear-gradient(90deg,${this.palette.ramp.join()})` });
      this.bar.replaceChildren(linear ? "0" : "1", ramp, linear ? `${count(most)} of ${count(runs)} runs` : `${count(most)} visits`);
    }
    drawBackground(context) {
      const { plane, image } = this;
      const [left, low, right, high] = this.batch.bounds;
      context.drawImage(image, plane.x(left), plane.y(high), plane.x(right) - plane.x(left), plane.y(low) - plane.y(high));
    }
    drawCells(context, values, plane, fraction) {
      const { batch, palette } = this;
      const [across, down] = batch.shape;
      const image = new ImageData(across, down);
      for (let cell = 0; cell < batch.cells; cell++) {
        if (values[cell]) image.data.set([...rgb(palette.value(fraction(values[cell]))), 235], 4 * cell);
      }
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [across, down];
      canvas.getContext("2d").putImageData(image, 0, 0);
      context.save();
      context.transform(plane.scaleX, 0, 0, plane.scaleY, plane.offsetX, plane.offsetY);
      context.imageSmoothingEnabled = false;
      context.drawImage(canvas, batch.bounds[0], batch.bounds[1], across * batch.cellSize[0], down * batch.cellSize[1]);
      context.restore();
    }
    drawMaze(context, plane, width, radius) {
      const { maze } = this.batch;
      const { ink, goal, line: line2, panel } = this.palette;
      if (!maze) {
        const [left, top, right, bottom] = plane.box;
        context.strokeStyle = line2;
        context.strokeRect(left, top, right - left, bottom - top);
        return;
      }
      context.strokeStyle = context.fillStyle = ink;
      context.lineWidth = width;
      context.lineCap = "round";
      context.beginPath();
      for (const [x1, y1, x2, y2] of maze.walls) {
        context.moveTo(plane.x(x1), plane.y(y1));
        context.lineTo(plane.x(x2), plane.y(y2));
      }
      context.stroke();
      disc(context, plane.x(maze.start[0]), plane.y(maze.start[1]), radius);
      context.fill();
      disc(context, plane.x(maze.goal[0]), plane.y(maze.goal[1]), radius);
      context.strokeStyle = panel;
      context.lineWidth = 2.5 * width;
      context.stroke();
      context.strokeStyle = goal;
      context.lineWidth = width;
      context.stroke();
    }
    drawMultiples() {
      const key = [[...this.shown].join(), this.palette.theme, this.compared.join()].join("|");
      if (key === this.drawn) return;
      this.drawn = key;
      const order = this.batch.byOutcome(this.shown);
      this.multiples.replaceChildren(...order.map((run) => this.multiple(run)));
      const [left, top, right, bottom] = this.batch.bounds;
      const shape = this.batch.maze ? (bottom - top) / (right - left) : 0.8;
      const ratio = window.devicePixelRatio || 1;
      order.forEach((run, place) => {
        const canvas = this.multiples.children[place].firstChild;
        const [width, height] = [104, Math.round(104 * shape)];
        canvas.style.height = `${height}px`;
        [canvas.width, canvas.height] = [width * ratio, height * ratio];
        const context = canvas.getContext("2d");
        context.scale(ratio, ratio);
        const plane = new Plane(this.batch.bounds, width, height, Boolean(this.batch.maze), { left: 3, right: 3, top: 3, bottom: 3 });
        const values = this.batch.visits.subarray(run.index * this.batch.cells, (run.index + 1) * this.batch.cells);
        const most = values.reduce((high, value) => Math.max(high, value), 2);
        this.drawCells(context, values, plane, (value) => Math.log(value) / Math.log(most));
        this.drawMaze(context, plane, 1, 2);
      });
    }
    multiple(run) {
      const { palette, batch } = this;
      const outcome = run.solved ? count(run.evaluations) : `${figure(run.best)} away`;
      const text = batch.maze || run.solved ? outcome : `best ${figure(run.best)}`;
      const group = batch.groupOf(run);
      return element(
        "button",
        {
          type: "button",
          class: `multiple${this.compared.includes(run.index) ? " on" : ""}`,
          title: `${group.title}, seed ${run.seed}: ${run.solved ? `solved after ${count(run.evaluations)} evaluations` : `not solved, best ${batch.measure} ${figure(run.best)}`}`,
          style: `border-top-color:${palette.search(run.search)}`,
          onclick: (event) => this.choose(run.index, event)
        },
        element("canvas", {}),
        element("span", {}, element("span", { class: run.solved ? "solved" : "soft" }, run.solved ? "● " : "○ "), text)
      );
    }
    /** Describe the cell under the pointer. */
    point(x, y) {
      const cell = this.batch.cellOf(...this.plane.behaviour(x, y));
      const value = this.values[cell];
      this.tip.hidden = !value;
      const text = { runs: `visited by ${count(value)} of ${count(this.valuesOf)} runs`, stones: `stepping stone of ${count(value)} of ${count(this.valuesOf)} solutions`, visits: `${count(value)} visits`, final: `${count(value)} visits at the end` };
      setText(this.tip, text[this.kind]);
      this.tip.style.left = `${Math.min(x + 12, this.map.clientWidth - this.tip.offsetWidth)}px`;
      this.tip.style.top = `${y + 14}px`;
    }
    savePng() {
      this.map.toBlob((content) => download("overview.png", content));
    }
    saveCsv() {
      const rows = this.batch.byOutcome(this.shown).map(({ group, seed, solved, evaluations, best }) => [group, seed, solved, evaluations, best].join(","));
      download("overview.csv", new Blob([`group,seed,solved,evaluations,best
${rows.join("\n")}
`], { type: "text/csv" }));
    }
  };

  // js/main.js
  async function start() {
    const page = readDescription();
    const palette = new Palette(page.grammar);
    if (page.batch) {
      window.overview = new Overview(await Batch.read(page.batch), palette);
      await window.overview.readAddress();
    } else {
      const runs = await Promise.all(
        page.runs.map(async (description, index) => new Run(description, await readBundle(index, description.arrays), index))
      );
      window.explorer = new Explorer(runs, palette);
      Object.assign(window.explorer, { sense, toCsv, toPng, toSvg });
      if (page.live) follow(window.explorer, page);
    }
    document.body.classList.add("ready");
  }
  start();
})();
