// The memory of the strategy on the map: centroids, predictions, the archive and its threshold.

import { diamond, disc, square, triangle } from "./canvas.js";

/** Centroids of the last two generations, arrows between them, and predictions; those of empty clusters are hollow. */
export function drawPredictions(context, run, memory, plane, palette) {
  const centroids = behaviours(run, "centroids", memory);
  const before = hasMoves(run, memory) ? behaviours(run, "centroids", memory - 1) : [];
  const predictions = behaviours(run, "predictions", memory);
  const screen = ([x, y]) => [plane.x(x), plane.y(y)];

  if (before.length === centroids.length) {
    context.strokeStyle = context.fillStyle = palette.ink;
    context.lineWidth = 1.2;
    centroids.forEach((centroid, cluster) => arrow(context, screen(before[cluster]), screen(centroid)));
    context.fillStyle = palette.soft;
    before.forEach((centroid) => {
      disc(context, ...screen(centroid), 1.7);
      context.fill();
    });
  }
  context.strokeStyle = context.fillStyle = palette.prediction;
  if (predictions.length === centroids.length) {
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.beginPath();
    predictions.forEach((prediction, cluster) => {
      context.moveTo(...screen(centroids[cluster]));
      context.lineTo(...screen(prediction));
    });
    context.stroke();
    context.setLineDash([]);
  }
  context.lineWidth = 1.5;
  predictions.forEach((prediction, cluster) => {
    diamond(context, ...screen(prediction), 4.2);
    if (isOccupied(run, memory, cluster)) context.fill();
    else hollow(context, palette);
  });
  context.strokeStyle = context.fillStyle = palette.ink;
  context.lineWidth = 1.3;
  centroids.forEach((centroid, cluster) => {
    square(context, ...screen(centroid), 2.8);
    if (isOccupied(run, memory, cluster)) context.fill();
    else hollow(context, palette);
  });
}

/** The archive, and around each entry the region that is too close to be added. */
export function drawArchive(context, run, memory, plane, palette) {
  const entries = archived(run, memory).map((entry) => [plane.x(run.archiveX[entry]), plane.y(run.archiveY[entry])]);
  const threshold = run.dimensions.length === 2 ? run.threshold[memory] : 0;
  if (threshold > 0) {
    const [across, down] = [threshold * plane.scaleX, threshold * Math.abs(plane.scaleY)];
    context.beginPath();
    for (const [x, y] of entries) {
      context.moveTo(x + across, y);
      context.ellipse(x, y, across, down, 0, 0, 2 * Math.PI);
    }
    context.globalAlpha = 0.13;
    context.fillStyle = palette.archive;
    context.fill("nonzero");
    context.globalAlpha = 1;
  }
  context.strokeStyle = palette.archive;
  context.fillStyle = palette.panel;
  context.lineWidth = 1.5;
  for (const [x, y] of entries) {
    triangle(context, x, y, 4.2);
    context.fill();
    context.stroke();
  }
}

/** Whether the memory before a memory is that of the generation before it; of a thinned run it is not. */
export function hasMoves(run, memory) {
  return memory > 0 && run.memoryAt[memory] - run.memoryAt[memory - 1] === 1;
}

/** Entries of the archive in a memory, as places in the list of all entries. */
export function archived(run, memory) {
  const entries = [];
  for (let entry = 0; entry < run.archiveFrom.length; entry++) {
    if (run.archiveFrom[entry] <= memory && memory < run.archiveTo[entry]) entries.push(entry);
  }
  return entries;
}

/** Whether a cluster has members. */
export function isOccupied(run, memory, cluster) {
  return run.occupiedCount[memory] <= cluster || run.occupied[run.occupiedStart[memory] + cluster] === 1;
}

/**
 * Mean distance from each prediction of a generation to the nearest individual of the generation, in the dimensions
 * shown, as a measure of how wrong the predictions were; NaN without predictions.
 */
export function predictionError(run, memory) {
  if (run.predictionErrors) return run.predictionErrors[memory]; // of a thinned run, from all its individuals
  const predictions = behaviours(run, "predictions", memory);
  if (!predictions.length) return NaN;
  const generation = run.memoryAt[memory];
  let sum = 0;
  for (const [x, y] of predictions) {
    let nearest = Infinity;
    for (let number = run.first[generation]; number < run.generationEnd(generation); number++) {
      const distance = (run.x[number] - x) ** 2 + (run.y[number] - y) ** 2;
      if (distance < nearest) nearest = distance;
    }
    sum += Math.sqrt(nearest);
  }
  return sum / predictions.length;
}

/** Rows of a memory of the strategy, as [x, y] pairs in the dimensions shown. */
export function behaviours(run, name, memory) {
  const [start, end] = [run[`${name}Start`][memory], run[`${name}Start`][memory + 1]];
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

function hollow(context, palette) {
  const colour = context.fillStyle;
  context.fillStyle = palette.panel;
  context.fill();
  context.fillStyle = colour;
  context.stroke();
}
