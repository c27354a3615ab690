/**
 * Resolves when a piece of synchronous work that may take tens of milliseconds can begin: one such piece in each turn of the event loop, so
 * that requests which need no such work are answered between them, however many wait.
 */
export function heavyTurn(): Promise<void> {
  const turn = last.then(nextTurn);
  last = turn;
  return turn;
}

let last: Promise<void> = Promise.resolve();

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
