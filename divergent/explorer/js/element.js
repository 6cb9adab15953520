// Small helpers to build the page's elements.

/** An element with attributes (`onclick` and the like are listeners) and children, text or elements. */
export function element(tag, attributes = {}, ...children) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) one.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) one.setAttribute(name, value === true ? "" : value);
  }
  one.append(...children);
  return one;
}

/** Set text only where it is another one: setting it costs a layout. */
export function say(one, text) {
  if (one.textContent !== text) one.textContent = text;
}

const SHAPES = {
  point: '<circle cx="7" cy="7" r="4" fill="currentColor"/>',
  centroid: '<rect x="4" y="4" width="6" height="6" fill="var(--ink)"/>',
  empty: '<rect x="4" y="4" width="6" height="6" fill="none" stroke="var(--ink)" stroke-width="1.4"/>',
  arrow: '<path d="M1 7h9M8 4l4 3-4 3" fill="none" stroke="var(--ink)" stroke-width="1.4"/>',
  prediction: '<path d="M7 2l5 5-5 5-5-5z" fill="var(--expected)"/>',
  archive: '<path d="M7 2.5l4.5 4.5-4.5 4.5-4.5-4.5z" fill="none" stroke="var(--expected)" stroke-width="1.6"/>',
  reach: '<circle cx="7" cy="7" r="6" fill="var(--expected)" opacity=".25"/>',
  stone: '<path d="M0 7h14" stroke="var(--ink)" stroke-dasharray="3 2"/><circle cx="7" cy="7" r="3.6" fill="var(--panel)" stroke="var(--ink)" stroke-width="1.4"/>',
  heat: '<rect x="1" y="2" width="12" height="10" fill="var(--heat)" opacity=".7"/>',
};

/** A sign of the map with its meaning in words. */
export function sign(shape, text, colour = "inherit") {
  const icon = element("span", { class: "sign", style: `color:${colour}`, "aria-hidden": "true" });
  icon.innerHTML = `<svg viewBox="0 0 14 14" width="14" height="14">${SHAPES[shape]}</svg>`;
  return element("span", { class: "meaning" }, icon, text);
}
