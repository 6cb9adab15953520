// Individuals in the focus: one species that is highlighted, or those inside a rectangle of the map.

/** A set of individuals of one run. */
export class Focus {
  /**
   * @param {string} key Differs for different sets.
   * @param {(number: number) => boolean} has
   */
  constructor(key, has) {
    this.key = key;
    this.has = has;
  }
}

/**
 * The focus of a run: the highlighted species within the brushed rectangle.
 * @returns {Focus|null} null if all individuals are shown alike.
 */
export function focusOf(run, state) {
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

/** Whether a brushed rectangle applies to a run: to the one it was drawn on, and to runs with the same plane. */
function sharesBrush(run, brush) {
  return run.index === brush.run || run.bounds.every((bound, place) => bound === brush.bounds[place]);
}

function insideOf(run, [left, top, right, bottom]) {
  const { x, y } = run;
  return (number) => x[number] >= left && x[number] <= right && y[number] >= top && y[number] <= bottom;
}

/** Individuals of a run in the focus that were evaluated before `end`. */
export function members(focus, end) {
  const found = [];
  for (let number = 0; number < end; number++) if (focus.has(number)) found.push(number);
  return found;
}

/**
 * Ancestors by first parent of many individuals.
 * @returns {{ancestors: number[], founders: number}} All ancestors outside the set itself, and how many individuals
 *   of the first generation the set descends from.
 */
export function ancestorsOf(run, numbers) {
  const found = new Set();
  const founders = new Set();
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
