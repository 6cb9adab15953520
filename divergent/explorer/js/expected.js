// What the search remembers: centroids, where they are expected next, the archive and its threshold.

import { disc } from "./canvas.js";

/** Centroids of the last two generations, arrows between them, and predictions; empty clusters are hollow. */
export function drawExpected(context, run, generation, plane, palette) {
  const centroids = places(run, "centroids", generation);
  const before = generation > 0 ? places(run, "centroids", generation - 1) : [];
  const predictions = places(run, "predictions", generation);
  const start = run.occupiedStart[generation];
  const occupied = (cluster) => run.occupiedCount[generation] <= cluster || run.occupied[start + cluster] === 1;
  const screen = ([x, y]) => [plane.x(x), plane.y(y)];

  if (before.length === centroids.length) {
    context.strokeStyle = context.fillStyle = palette.ink;
    context.lineWidth = 1.2;
    centroids.forEach((place, cluster) => arrow(context, screen(before[cluster]), screen(place)));
    context.fillStyle = palette.soft;
    before.forEach((place) => {
      disc(context, ...screen(place), 1.7);
      context.fill();
    });
  }
  context.strokeStyle = context.fillStyle = palette.expected;
  if (predictions.length === centroids.length) {
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.beginPath();
    predictions.forEach((place, cluster) => {
      context.moveTo(...screen(centroids[cluster]));
      context.lineTo(...screen(place));
    });
    context.stroke();
    context.setLineDash([]);
  }
  context.lineWidth = 1.5;
  predictions.forEach((place, cluster) => {
    diamond(context, ...screen(place), 4.2);
    if (occupied(cluster)) context.fill();
    else hollow(context, palette);
  });
  context.strokeStyle = context.fillStyle = palette.ink;
  context.lineWidth = 1.3;
  centroids.forEach((place, cluster) => {
    square(context, ...screen(place), 2.8);
    if (occupied(cluster)) context.fill();
    else hollow(context, palette);
  });
}

/** The archive, and around each of its places what is too close to join it. */
export function drawArchive(context, run, generation, plane, palette) {
  const places = archived(run, generation).map((entry) => [plane.x(run.archiveX[entry]), plane.y(run.archiveY[entry])]);
  const reach = run.threshold[generation];
  if (reach > 0) {
    const [across, down] = [reach * plane.scaleX, reach * Math.abs(plane.scaleY)];
    context.beginPath();
    for (const [x, y] of places) {
      context.moveTo(x + across, y);
      context.ellipse(x, y, across, down, 0, 0, 2 * Math.PI);
    }
    context.globalAlpha = 0.12;
    context.fillStyle = palette.expected;
    context.fill("nonzero");
    context.globalAlpha = 1;
  }
  context.strokeStyle = palette.expected;
  context.fillStyle = palette.panel;
  context.lineWidth = 1.5;
  for (const [x, y] of places) {
    diamond(context, x, y, 3.8);
    context.fill();
    context.stroke();
  }
}

export function archived(run, generation) {
  const entries = [];
  for (let entry = 0; entry < run.archiveX.length; entry++) {
    if (run.archiveFrom[entry] <= generation && generation < run.archiveTo[entry]) entries.push(entry);
  }
  return entries;
}

function places(run, name, generation) {
  const [start, end] = [run[`${name}Start`][generation], run[`${name}Start`][generation + 1]];
  return Array.from({ length: end - start }, (_, k) => [run[`${name}X`][start + k], run[`${name}Y`][start + k]]);
}

function arrow(context, [fromX, fromY], [toX, toY]) {
  const length = Math.hypot(toX - fromX, toY - fromY);
  if (length < 5) return;
  const [alongX, alongY] = [(toX - fromX) / length, (toY - fromY) / length];
  const [endX, endY] = [toX - 3 * alongX, toY - 3 * alongY];
  context.globalAlpha = 0.55;
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(endX, endY);
  context.stroke();
  context.beginPath();
  context.moveTo(endX, endY);
  context.lineTo(endX - 5 * alongX + 2.5 * alongY, endY - 5 * alongY - 2.5 * alongX);
  context.lineTo(endX - 5 * alongX - 2.5 * alongY, endY - 5 * alongY + 2.5 * alongX);
  context.fill();
  context.globalAlpha = 1;
}

function diamond(context, x, y, radius) {
  context.beginPath();
  context.moveTo(x, y - radius);
  context.lineTo(x + radius, y);
  context.lineTo(x, y + radius);
  context.lineTo(x - radius, y);
  context.closePath();
}

function square(context, x, y, half) {
  context.beginPath();
  context.rect(x - half, y - half, 2 * half, 2 * half);
}

function hollow(context, palette) {
  const colour = context.fillStyle;
  context.fillStyle = palette.panel;
  context.fill();
  context.fillStyle = colour;
  context.stroke();
}
