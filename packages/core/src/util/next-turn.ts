/** Resolves in the next turn of the event loop. Browsers have no `setImmediate`. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (globalThis.setImmediate === undefined) setTimeout(resolve);
    else setImmediate(resolve);
  });
}
