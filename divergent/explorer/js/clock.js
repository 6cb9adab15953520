// The clock of all runs: a moment is a number of evaluations.

export const SPEEDS = [0.5, 1, 2, 5, 10, 20, 40]; // generations per second

export class Clock {
  /** @param {number} limit Evaluations of the longest run. @param {number} generationSize Evaluations per generation. */
  constructor(limit, generationSize) {
    this.limit = limit;
    this.generationSize = generationSize;
    this.moment = limit;
    this.speed = 5;
    this.playing = false;
  }

  /** Advance by some seconds of playing; stops at the end. */
  pass(seconds) {
    if (!this.playing) return;
    this.seek(this.moment + seconds * this.speed * this.generationSize);
    if (this.moment >= this.limit) this.playing = false;
  }

  seek(moment) {
    this.moment = Math.min(Math.max(moment, 1), this.limit);
  }

  /** Play or pause; at the end, play from the start. */
  toggle() {
    if (!this.playing && this.moment >= this.limit) this.moment = 1;
    this.playing = !this.playing;
  }

  faster(places) {
    const place = SPEEDS.indexOf(this.speed) + places;
    this.speed = SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)];
  }
}
