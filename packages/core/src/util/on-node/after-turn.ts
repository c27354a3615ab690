let waiting: (() => void)[] = [];

/** Runs the action when this turn of the event loop is over. All that wait share one look, because asking for one costs more than a call. */
export function afterTurn(action: () => void): void {
  if (waiting.push(action) > 1) return;
  setImmediate(() => {
    const actions = waiting;
    waiting = [];
    for (const one of actions) one();
  });
}
