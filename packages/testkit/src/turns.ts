/**
 * Lets the event loop turn so often. What a process does without anything from outside is then done: this shows that nothing more happens, and
 * does not look at a clock.
 */
export async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Counts the turns of the event loop until it is stopped, which gives their number: one that stood still has hardly turned. */
export function countTurns(): () => number {
  let count = 0;
  let next = setImmediate(function turn() {
    count += 1;
    next = setImmediate(turn);
  });
  return () => {
    clearImmediate(next);
    return count;
  };
}
