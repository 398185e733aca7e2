const assert = require('node:assert');
const { Queue } = require('../queue');

describe('Queue', () => {
  let queue;

  beforeEach(() => {
    // ... (4 lines)
  });

  it('runs what it is given', async () => {
    // ... (4 lines)
  });

  describe('when it is full', function () {
    it('waits', async function () {
      // ... (4 lines)
    });

    it('can be drained', () => {
      assert.equal(queue.drain().length, 0);
    });
  });
});

function never() {
  // ... (6 lines)
}

(function (root, factory) {
  function register(name, value) {
    // ... (3 lines)
  }

  const forget = (name) => {
    // ... (4 lines)
  };

  register('never', factory());
})(globalThis, () => never);
