import { vi } from "vitest";

const real = { setTimeout, setInterval, clearTimeout, clearInterval };
type Timers = typeof real;
const timerClass = ((): unknown => {
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  return timer.constructor;
})() as new () => NodeJS.Timeout;

/**
 * Node's own code keeps its timers while a test moves the clock: `fetch` has one for the connections that it holds, which may be those of an
 * earlier test. Call it before the first test.
 */
export function keepTimersOfNode(): void {
  const { useFakeTimers } = vi;
  // Files share a process, and this module may be loaded for each of them.
  if (useFakeTimers.name === "useFakeTimersOfTests") return;
  vi.useFakeTimers = function useFakeTimersOfTests(options) {
    const replaced = useFakeTimers.call(vi, options);
    const clock = globalThis as unknown as Timers;
    for (const name of ["setTimeout", "setInterval"] as const)
      replace(clock, name, (fake, ...given) => (isCalledByNode() ? real[name] : fake)(...(given as [() => void])));
    for (const name of ["clearTimeout", "clearInterval"] as const)
      replace(clock, name, (fake, timer) => (timer instanceof timerClass ? real[name] : fake)(timer));
    return replaced;
  };
}

function isCalledByNode(): boolean {
  const frames = new Error("who calls?").stack?.split("\n").slice(1) ?? [];
  return frames.find((frame) => !frame.includes("timers-of-node"))?.includes("node:internal/") === true;
}

/** What puts the clock back knows its functions by their properties. */
function replace<Name extends keyof Timers>(
  clock: Timers,
  name: Name,
  by: (fake: Timers[Name], ...given: Parameters<Timers[Name]>) => ReturnType<Timers[Name]>,
): void {
  const fake = clock[name];
  if (fake !== real[name]) clock[name] = Object.assign((...given: Parameters<Timers[Name]>) => by(fake, ...given), fake) as Timers[Name];
}
