// What is known of the selected birth: facts, stepping stones, the whole drive and the network.

import { count, figure } from "./canvas.js";
import { element, say, sign } from "./element.js";
import { LineageChart } from "./lineage.js";
import { describeNetwork, drawNetwork } from "./network.js";

export class Inspector {
  constructor(root, runs, palette, actions) {
    Object.assign(this, { root, runs, palette, actions });
    this.key = "";
  }

  draw(state) {
    const key = [state.run, state.robot, state.lineage && state.lineage.tip, this.palette.theme].join();
    if (key !== this.key) {
      this.key = key;
      this.build(state);
    }
    if (state.robot === null) return;
    if (this.chart) this.chart.draw(this.runs[state.run], state.lineage, state.robot);
    if (state.drive) this.drawDrive(state);
  }

  build(state) {
    this.chart = this.network = null;
    if (state.robot === null) {
      this.root.replaceChildren(...this.invitation());
      return;
    }
    const run = this.runs[state.run];
    const parts = [this.facts(run, state)];
    if (run.hasParents) parts.push(this.stones(run, state));
    if (run.maze) parts.push(this.driveOf(run, state));
    this.root.replaceChildren(...parts);
  }

  invitation() {
    const noun = this.runs[0].noun;
    const buttons = this.runs.flatMap((run) => {
      const best = run.best[run.offspring - 1];
      const name = run.solution !== null ? "the solution" : run.maze ? "the closest" : "the best";
      const of = this.runs.length > 1 ? ` of ${run.title.toLowerCase()}` : "";
      return element("button", { type: "button", onclick: () => this.actions.select(run.index, best) }, `Show ${name}${of}`);
    });
    return [
      element(
        "section",
        { class: "invitation" },
        element("h2", {}, `Every point is ${noun === "robot" ? "a robot" : "an individual"}`),
        element(
          "p",
          {},
          this.runs.some((run) => run.trails)
            ? "Point at one to see its way through the maze. Click or tap it to see from whom it descends; for the solution, its ancestors, champions of species and the archive also the whole drive and the network that drove it."
            : `Point at one to see what it did.${this.runs.some((run) => run.hasParents) ? " Click or tap it to see from whom it descends." : ""}`,
        ),
        element("div", { class: "row" }, ...buttons),
      ),
    ];
  }

  facts(run, state) {
    const { robot } = state;
    const species = run.species[robot];
    const role = run.robotAt.has(robot) ? run.roles[run.robotAt.get(robot)] : null;
    const rows = [
      ["born", `generation ${count(run.generation[run.generationOf(robot)])}, evaluation ${count(robot + 1)}`],
      [run.measure, figure(run.quality[robot])],
    ];
    if (run.hasScores) rows.push(["score", figure(run.score[robot])]);
    if (species >= 0) {
      const text = `${species + 1} (${this.palette.speciesWord(species)})`;
      rows.push(["species", sign("point", text, this.palette.species(species))]);
    }
    if (run.size[robot]) rows.push([run.maze ? "connections" : "genome size", count(run.size[robot])]);
    if (run.hasParents) {
      rows.push(["first parent", this.parent(run, run.firstParent[robot])]);
      if (run.secondParent[robot] !== run.firstParent[robot]) rows.push(["second parent", this.parent(run, run.secondParent[robot])]);
    }
    return element(
      "section",
      { class: "facts-of" },
      element(
        "header",
        {},
        element("h2", {}, `${run.noun === "robot" ? "Robot" : "Individual"} ${count(robot + 1)}`),
        element("button", { type: "button", class: "quiet", id: "close", onclick: () => this.actions.close() }, "Close"),
      ),
      element("p", { class: "facts" }, [role, this.runs.length > 1 ? run.title : null].filter(Boolean).join(" · ")),
      element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    );
  }

  parent(run, number) {
    if (number < 0) return "none";
    const go = () => this.actions.select(run.index, number);
    return element("button", { type: "button", class: "link", onclick: go }, `${run.noun} ${count(number + 1)}`);
  }

  stones(run, { lineage, robot }) {
    const { line, everybody, tip } = lineage;
    const canvas = element("canvas", { class: "lineage", role: "img", "aria-label": "Stepping stones" });
    canvas.addEventListener("click", (event) => this.actions.select(run.index, this.chart.find(event.offsetX)));
    this.chart = new LineageChart(canvas, this.palette);
    const place = line.indexOf(robot);
    const text =
      line.length > 1
        ? `${count(line.length - 1)} first parents lead from ${run.noun} ${count(line[0] + 1)} of the first generation to ${run.noun} ${count(tip + 1)}, which has ${count(everybody.length)} ancestors in all.`
        : "It is of the first generation and descends from nobody.";
    const step = (by, name, label) =>
      element(
        "button",
        { type: "button", id: name, disabled: !line[place + by] && line[place + by] !== 0, onclick: () => this.actions.walk(by) },
        label,
      );
    return element(
      "section",
      { class: "stones" },
      element("h3", {}, "Stepping stones"),
      element("p", {}, text),
      canvas,
      element(
        "div",
        { class: "row" },
        step(-1, "older", "← Mother"),
        element("span", { class: "soft" }, `${count(place + 1)} of ${count(line.length)}`),
        step(1, "younger", "Daughter →"),
      ),
    );
  }

  driveOf(run, { drive, step }) {
    if (!drive) {
      return element(
        "section",
        { class: "drive" },
        element("h3", {}, "The drive"),
        element(
          "p",
          {},
          run.trails
            ? "The map shows this robot's way, thinned. Whole drives are kept for the solution, its ancestors, the champions of species and the archive."
            : "A record holds the final position of this robot. The whole drive is kept for the best robot only.",
        ),
      );
    }
    this.slider = element("input", { type: "range", min: 0, max: drive.steps, value: step, id: "step", "aria-label": "Step of the drive" });
    this.slider.addEventListener("input", () => this.actions.step(Number(this.slider.value)));
    this.button = element("button", { type: "button", id: "drive", onclick: () => this.actions.drive() }, "Drive");
    this.stepText = element("span", { class: "soft now" });
    this.network = element("canvas", { class: "network", role: "img", "aria-label": "The network" });
    return element(
      "section",
      { class: "drive" },
      element("h3", {}, "The drive and the network"),
      element("div", { class: "row" }, this.button, this.slider, this.stepText),
      this.network,
      element(
        "p",
        { class: "soft" },
        `${describeNetwork(drive)}. Blue whole lines excite, vermilion dashed ones inhibit; wide means strong, bright means active. On the map: lines to what the rangefinders see, and a green arc where the radar sees the goal.`,
      ),
    );
  }

  drawDrive({ drive, step, driving }) {
    drawNetwork(this.network, drive, step, this.palette);
    if (Number(this.slider.value) !== step) this.slider.value = step;
    say(this.stepText, `step ${step} of ${drive.steps}`);
    say(this.button, driving ? "Stop" : "Drive");
  }
}
