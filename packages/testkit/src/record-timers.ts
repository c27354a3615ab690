import { vi, type Mock } from "vitest";
import { afterThisTest } from "./cleanup.ts";

/**
 * Notes every timer that starts until the test ends, also of a fake clock. A spy of Vitest would not do: whoever restores all mocks later, in
 * another file of the process, would put the fake clock back.
 */
export function recordTimers<Name extends "setTimeout" | "setInterval">(name: Name): Mock<(typeof globalThis)[Name]> {
  const before = globalThis[name];
  const recorded = vi.fn(before) as unknown as Mock<(typeof globalThis)[Name]>;
  globalThis[name] = recorded as unknown as (typeof globalThis)[Name];
  afterThisTest(() => {
    globalThis[name] = before;
  });
  return recorded;
}
