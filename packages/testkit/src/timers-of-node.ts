import { vi } from "vitest";

const real = { setTimeout, setInterval, setImmediate };

/**
 * Node's own code keeps its timers while a test moves the clock: `fetch` has some for the connections that it holds, which may be those of an
 * earlier test. Call it before the first test.
 */
export function keepTimersOfNode(): void {
  const { useFakeTimers } = vi;
  // Files share a process, and this module may be loaded for each of them.
  if (useFakeTimers.name === "useFakeTimersOfTests") return;
  vi.useFakeTimers = function useFakeTimersOfTests(options) {
    const replaced = useFakeTimers.call(vi, options);
    for (const name of Object.keys(real) as (keyof typeof real)[]) {
      const fake = globalThis[name];
      if (fake === real[name]) continue;
      const chosen = (...given: unknown[]): unknown => Reflect.apply(isCalledByNode() ? real[name] : fake, undefined, given);
      // What puts the clock back knows its functions by their properties.
      Object.assign(globalThis, { [name]: Object.assign(chosen, fake) });
    }
    return replaced;
  };
}

function isCalledByNode(): boolean {
  const frames = new Error("who calls?").stack?.split("\n").slice(1) ?? [];
  return frames.find((frame) => !frame.includes("timers-of-node"))?.includes("node:internal/") === true;
}
