// The Individual tab: facts, lineage, the whole drive and the network, or the rendered image of an individual.

import { count, figure } from "./canvas.js";
import { button, element, mark, setText } from "./element.js";
import { LineageChart } from "./lineage.js";
import { describeNetwork, drawNetwork } from "./network.js";

export class IndividualTab {
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
    const text = run.trails
      ? "Click a point to see the trajectory and the lineage of a robot. The solution, its ancestors, archive entries and champions of species also have their whole drive and their network."
      : "Click a point to see its lineage and its values.";
    const name = run.solution !== null ? "Select the solution" : "Select the best";
    return element(
      "section",
      { class: "invitation" },
      element("h3", {}, "No individual selected"),
      element("p", { class: "soft" }, text),
      button(name, () => this.actions.select(run.index, run.solution ?? best), { class: "primary" }),
    );
  }

  facts(run, state) {
    const { individual } = state;
    const species = run.species[individual];
    const role = run.robotAt.has(individual) ? run.roles[run.robotAt.get(individual)] : null;
    const rows = [
      ["evaluation", `${count(run.evaluation(individual))}, generation ${count(run.generation[run.generationOf(individual)])}`],
      [run.measure, figure(run.quality[individual])],
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
      element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    );
  }

  parent(run, number) {
    if (number < 0) return "none";
    return button(`${run.noun} ${count(run.evaluation(number))}`, () => this.actions.select(run.index, number), { class: "link" });
  }

  lineage(run, { lineage, individual }) {
    const { line, all, tip } = lineage;
    const canvas = element("canvas", { class: "lineage", role: "img", "aria-label": "Stepping stones" });
    canvas.addEventListener("click", (event) => this.actions.select(run.index, this.chart.find(event.offsetX)));
    this.chart = new LineageChart(canvas, this.palette);
    const place = line.indexOf(individual);
    const text =
      line.length > 1
        ? `${count(line.length - 1)} first parents from ${run.noun} ${count(run.evaluation(line[0]))} to ${run.noun} ${count(run.evaluation(tip))}; ${count(all.length)} ancestors in all.`
        : "An individual of the first generation has no parents.";
    const step = (by, id, label) => button(label, () => this.actions.walk(by), { id, disabled: line[place + by] === undefined });
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
        element("span", { class: "soft" }, `${count(place + 1)} of ${count(line.length)}`),
        step(1, "younger", "Child →"),
      ),
    );
  }

  driveOf(run, { drive, step }) {
    if (!drive) {
      const text = run.trails
        ? "The map shows the thinned trajectory of this robot. Whole drives are kept for the solution, its ancestors, champions of species and archive entries."
        : "This page has the final position of this robot. The whole drive is kept for the best robot only.";
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
      element("p", { class: "soft small" }, `${describeNetwork(drive)}. Solid blue: positive weight; dashed vermilion: negative. Width: size of the weight; opacity: activation.`),
    );
  }

  drawDrive({ drive, step, driving }) {
    drawNetwork(this.network, drive, step, this.palette);
    if (Number(this.slider.value) !== step) this.slider.value = step;
    setText(this.stepText, `step ${step} of ${drive.steps}`);
    setText(this.driveButton, driving ? "Stop" : "Drive");
  }
}
