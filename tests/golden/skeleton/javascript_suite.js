const assert = require('node:assert');
const { Queue } = require('../queue');

describe('Queue', () => {
  let queue;

  beforeEach(() => {
    queue = new Queue(2);
    queue.on('error', assert.fail);
    queue.on('idle', queue.drain);
    queue.resume();
  });

  it('runs what it is given', async () => {
    const seen = [];
    await queue.add(() => seen.push('a'));
    await queue.add(() => seen.push('b'));
    assert.deepEqual(seen, ['a', 'b']);
  });

  describe('when it is full', function () {
    it('waits', async function () {
      await queue.add(never);
      await queue.add(never);
      await queue.add(never);
      assert.equal(queue.size, 3);
    });

    it('can be drained', () => {
      assert.equal(queue.drain().length, 0);
    });
  });
});

function never() {
  return new Promise((resolve, reject) => {
    process.once('exit', () => {
      reject(new Error('the end'));
      resolve();
    });
  });
}

(function (root, factory) {
  function register(name, value) {
    const key = name.toLowerCase();
    root[key] = value;
    return root[key];
  }

  const forget = (name) => {
    const key = name.toLowerCase();
    const value = root[key];
    delete root[key];
    return value;
  };

  register('never', factory());
})(globalThis, () => never);
