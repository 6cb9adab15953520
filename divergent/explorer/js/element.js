// Elements of the page.

/**
 * Create an element.
 * @param {string} tag
 * @param {object} attributes Names that begin with "on" are listeners; false and null are left out.
 * @param {...(string|Node)} children
 */
export function element(tag, attributes = {}, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) created.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) created.setAttribute(name, value === true ? "" : value);
  }
  created.append(...children);
  return created;
}

/** A button with a listener. */
export function button(text, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, text);
}

/** Set the text of an element only if it differs, since setting it costs a layout. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Show something as a file to save. */
export function download(name, content) {
  const url = URL.createObjectURL(content);
  const link = element("a", { download: name });
  link.href = url;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const SHAPES = {
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
  solution: '<path d="M7 1l1.7 4.2 4.5.3-3.4 3 1 4.4L7 10.5l-3.8 2.4 1-4.4-3.4-3 4.5-.3z" fill="var(--goal)"/>',
};

/** A mark of the map with its meaning in words. */
export function mark(shape, text, colour = "inherit") {
  const icon = element("span", { class: "mark", style: `color:${colour}`, "aria-hidden": "true" });
  icon.innerHTML = `<svg viewBox="0 0 14 14" width="14" height="14">${SHAPES[shape]}</svg>`;
  return element("span", { class: "meaning" }, icon, text);
}

/** A short line with the dash pattern of a curve, in the colour of the text. */
export function lineSample(dash) {
  const sample = element("span", { class: "sample", "aria-hidden": "true" });
  const stroke = `stroke="currentColor" stroke-width="2.4" stroke-dasharray="${dash.join(" ")}"`;
  sample.innerHTML = `<svg viewBox="0 0 22 8" width="22" height="8"><path d="M0 4h22" ${stroke}/></svg>`;
  return sample;
}

/** A table from rows of cells; the first row is the head. */
export function table(head, rows, attributes = {}) {
  return element(
    "table",
    attributes,
    element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", { scope: "col" }, cell)))),
    element("tbody", {}, ...rows),
  );
}
