// Named axes with ticks around a plane.

import { figure, ticks } from "./canvas.js";

export const AXES_MARGINS = { left: 50, right: 14, top: 12, bottom: 38 };

/** Draw the frame, ticks and names of the axes of a plane on a canvas of a height. */
export function drawAxes(context, plane, names, height, palette) {
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
