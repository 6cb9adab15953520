// The drawer beside the maps, on phones a sheet at the bottom: tabs, the run in the focus, and the size.

import { button, element } from "./element.js";

export const TABS = ["run", "individual", "species", "predictions"];
const LEAST = 260; // pixels of width
const SHEETS = [0, 0.42, 0.82]; // heights of the sheet as fractions of the page, besides the row of tabs

export class Drawer {
  /** @param {HTMLElement} root @param {{title: string}[]} runs @param {object} views Views by tab. @param {object} actions */
  constructor(root, runs, actions) {
    Object.assign(this, { root, actions });
    this.handle = element("div", { class: "handle", role: "separator", tabindex: 0, "aria-valuenow": 0, "aria-label": "Resize the drawer" });
    this.tabs = TABS.map((name) =>
      button(name[0].toUpperCase() + name.slice(1), () => this.open(name), { role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}` }),
    );
    this.panes = Object.fromEntries(
      TABS.map((name) => [name, element("div", { class: "pane", role: "tabpanel", id: `pane-${name}`, "aria-labelledby": `tab-${name}`, hidden: true })]),
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
    this.handle.setAttribute("aria-valuenow", Math.round((100 * size) / page));
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
    if (state.run !== null) this.picker.hidden = !this.choices.length || (state.tab === "individual" && state.individual !== null);
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
    let start = null;
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      start = { x: event.clientX, y: event.clientY, width: this.root.offsetWidth, height: this.root.offsetHeight, moved: false };
    });
    handle.addEventListener("pointermove", (event) => {
      if (!start) return;
      start.moved ||= Math.hypot(event.clientX - start.x, event.clientY - start.y) > 4;
      if (!start.moved) return;
      if (isPhone()) this.setHeight(start.height + start.y - event.clientY);
      else this.setWidth(start.width + start.x - event.clientX);
    });
    handle.addEventListener("pointerup", () => {
      if (start && !start.moved && isPhone()) this.setSheet((this.sheet + 1) % SHEETS.length);
      start = null;
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
}

/** Whether the page has the layout of a phone. */
export function isPhone() {
  return window.matchMedia("(max-width: 760px)").matches;
}
