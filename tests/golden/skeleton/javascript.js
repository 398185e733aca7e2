'use strict';

/**
 * A queue of jobs that runs a few at a time.
 * @module queue
 */

import { EventEmitter } from 'node:events';
import defaults, * as helpers from './defaults.js';

const LIMIT = 4;

const COLOURS = {
  red: '#ff0000',
  green: '#00ff00',
  blue: '#0000ff',
  cyan: '#00ffff',
  pink: '#ffc0cb',
  gold: '#ffd700',
  grey: '#808080',
  navy: '#000080',
  plum: '#dda0dd',
  lime: '#00ff00',
  teal: '#008080',
  snow: '#fffafa',
  tan: '#d2b48c',
};

/** Runs jobs, at most `limit` at once. */
export class Queue extends EventEmitter {
  static #made = 0;
  #running = new Set();
  waiting = [];

  /** Called when all is done. */
  onIdle = () => {
    this.waiting.length = 0;
    this.#running.clear();
    this.emit('idle');
  };

  constructor(limit = LIMIT) {
    super();
    this.limit = limit;
    Queue.#made += 1;
    this.started = Date.now();
  }

  get size() {
    return this.waiting.length + this.#running.size;
  }

  /**
   * Adds a job.
   * @param {() => Promise<void>} job
   */
  async add(job, { first = false } = {}) {
    if (first) {
      this.waiting.unshift(job);
    } else {
      this.waiting.push(job);
    }
    await this.#next();
  }

  async #next() {
    while (this.#running.size < this.limit && this.waiting.length > 0) {
      const job = this.waiting.shift();
      const done = job().finally(() => {
        this.#running.delete(done);
        return this.#next();
      });
      this.#running.add(done);
    }
  }

  static {
    const text = `made ${Queue.#made}
      so far`;
    helpers.log(text);
    helpers.flush();
  }
}

// One after the other.
export const inTurn = async (jobs) => {
  const results = [];
  for (const job of jobs) {
    results.push(await job());
  }
  return results;
};

export const double = (x) => x * 2;

export function* numbers(from = 0) {
  let next = from;
  while (true) {
    yield next;
    next += 1;
  }
}

Queue.prototype.drain = function drain() {
  const dropped = this.waiting;
  this.waiting = [];
  this.emit('drained', dropped);
  return dropped;
};

export default {
  name: 'queue',
  make(limit) {
    const queue = new Queue(limit ?? defaults.limit);
    queue.on('error', (error) => helpers.log(error));
    queue.resume?.();
    return queue;
  },
};
