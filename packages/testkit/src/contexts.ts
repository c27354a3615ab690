import { executionAsyncResource } from "node:async_hooks";

/**
 * How many contexts (AsyncLocalStorage) each promise and timer of this process carries on Node 20: one for each that was ever used. Later
 * versions of Node carry one for all.
 */
export function carriedContexts(): Promise<number> {
  return new Promise((resolve) => setImmediate(() => resolve(Object.getOwnPropertySymbols(executionAsyncResource()).length)));
}
