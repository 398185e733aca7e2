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
  // ... (10 lines)
};

/** Runs jobs, at most `limit` at once. */
export class Queue extends EventEmitter {
  static #made = 0;
  #running = new Set();
  waiting = [];

  /** Called when all is done. */
  onIdle = () => {
    // ... (3 lines)
  };

  constructor(limit = LIMIT) {
    // ... (4 lines)
  }

  get size() {
    return this.waiting.length + this.#running.size;
  }

  /**
   * Adds a job.
   * @param {() => Promise<void>} job
   */
  async add(job, { first = false } = {}) {
    // ... (6 lines)
  }

  async #next() {
    // ... (8 lines)
  }

  static {
    // ... (4 lines)
  }
}

// One after the other.
export const inTurn = async (jobs) => {
  // ... (5 lines)
};

export const double = (x) => x * 2;

export function* numbers(from = 0) {
  // ... (5 lines)
}

Queue.prototype.drain = function drain() {
  // ... (4 lines)
};

export default {
  name: 'queue',
  make(limit) {
    // ... (4 lines)
  },
};
