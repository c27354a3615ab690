/**
 * Runs the action when the code that runs now has ended. The timers of a worker end with the request that set them, so nothing that many
 * requests share may wait for one.
 */
export function afterTurn(action: () => void): void {
  queueMicrotask(action);
}
