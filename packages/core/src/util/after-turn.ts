let waiting: (() => void)[] = [];

/** Runs the action when this turn of the event loop is over. All that wait share one look, because asking for one costs more than a call. */
export function afterTurn(action: () => void): void {
  if (waiting.push(action) > 1) return;
  nextTurn(() => {
    const actions = waiting;
    waiting = [];
    for (const one of actions) one();
  });
}

/** Runs the action in the next turn of the event loop. Browsers have no `setImmediate`. */
export function nextTurn(action: () => void): void {
  if (globalThis.setImmediate === undefined) setTimeout(action, 0);
  else setImmediate(action);
}
