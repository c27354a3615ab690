/** Runs the action in the next turn of the event loop. Browsers have no `setImmediate`. */
export function nextTurn(action: () => void): void {
  if (globalThis.setImmediate === undefined) setTimeout(action, 0);
  else setImmediate(action);
}
