// The largest species of a generation, and colours that differ between the species of one legend.

export const MOST_SPECIES = 6; // in the legend
const LAST = 1000; // weight of the last generation, which a page shows first
const SWEEPS = 5;

/** Pairs of a species and its members in a generation, the largest species first. */
export function speciesBySize(run, generation) {
  const pairs = [];
  for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) {
    pairs.push([run.riverSpecies[pair], run.riverSize[pair]]);
  }
  return pairs.sort((a, b) => b[1] - a[1]);
}

const kept = new WeakMap(); // places of colours by run, since a run does not change

/**
 * The place of the colour of a species. A species has the colour of its id, as in the matplotlib figures, unless a
 * species of the same legends has it. Few generations have two species of one colour in the legend, the last one none.
 * A run that grows keeps the colours of the ids.
 */
export function colourPlace(run, id, colours) {
  let places = kept.get(run);
  if (!places) kept.set(run, (places = run.live ? new Map() : placesOf(run, colours)));
  return places.get(id) ?? id % colours;
}

/** Assign colours greedily, then change those with conflicts: generations in which a legend has a colour twice. */
function placesOf(run, colours) {
  const rivals = rivalsOf(run);
  const places = new Map();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [id, generations] of rivals) {
      const conflicts = new Float64Array(colours);
      for (const [rival, weight] of generations) if (places.has(rival)) conflicts[places.get(rival)] += weight;
      const order = Array.from({ length: colours }, (_, step) => (id + step) % colours);
      places.set(id, order.reduce((best, place) => (conflicts[place] < conflicts[best] ? place : best)));
    }
  }
  return places;
}

/** Of each species in a legend the other species there, with the number of generations; the last legend comes first. */
function rivalsOf(run) {
  const rivals = new Map();
  const last = run.first.length - 1;
  for (let generation = last; generation >= 0; generation--) {
    const ids = speciesBySize(run, generation).slice(0, MOST_SPECIES).map(([id]) => id);
    for (const id of ids) {
      if (!rivals.has(id)) rivals.set(id, new Map());
      const weights = rivals.get(id);
      for (const other of ids) if (other !== id) weights.set(other, (weights.get(other) || 0) + (generation === last ? LAST : 1));
    }
  }
  return rivals;
}
