// A live run: asks the run for new evaluations, and reports its rate, its remaining time and diagnoses.

import { count } from "./canvas.js";
import { readArrays, Run, unpack } from "./data.js";
import { element } from "./element.js";

const EVERY = 1000; // milliseconds between two requests
const MOST_FAILURES = 3; // requests without an answer, after which the run has ended

/** Follow the run of a page. */
export function follow(explorer, { live }) {
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

/** Rate, remaining time and diagnoses in words. */
function show(banner, status) {
  const parts = [status.state === "running" ? "running" : "finished", `${count(status.evaluations)} evaluations`];
  if (status.state === "running" && status.rate) parts.push(`${count(status.rate)} per second`);
  if (status.state === "running" && status.remaining) parts.push(`at most ${duration(status.remaining)} left`);
  banner.replaceChildren(
    element("span", { class: status.state }, "● "),
    parts.join(" · "),
    ...status.messages.map((message) => element("span", { class: "diagnosis" }, message)),
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
