// Outcomes of many runs over evaluations: the fraction solved or, if no run is solved, the best quality.

import { count, figure, ticks } from "./canvas.js";

/** Curves with bands, one for each group that is shown. */
export function drawOutcomes(context, { width, height }, batch, shown, palette) {
  const groups = batch.groups.filter(({ name }) => shown.has(name));
  const curves = groups.map((group) => ({ ...(batch.anySolved ? survivalOf(group) : batch.quartiles(group.name)), group }));
  const range = batch.anySolved ? [0, 1] : rangeOf(curves);
  const [left, right, top, bottom] = [48, width - 14, 10, height - 34];
  const x = (evaluations) => left + (evaluations / batch.limit) * (right - left);
  const y = (value) => bottom - ((value - range[0]) / (range[1] - range[0] || 1)) * (bottom - top);
  const levels = batch.anySolved ? [0, 0.25, 0.5, 0.75, 1] : ticks(...range, Math.max(2, (bottom - top) / 45));
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

/** A Kaplan-Meier curve with its 95 % band. */
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
  const steps = (values) => curve.x.flatMap((evaluations, k) => (k ? [[evaluations, values[k - 1]], [evaluations, values[k]]] : [[evaluations, values[k]]]));
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
