import { getEventListeners } from "node:events";
import { turns } from "@toolrack/testkit/turns";
import { expect, it } from "vitest";
import { nextChange, untilAborted } from "../../../src/rack/agents/wait-for-session.ts";

function sessions(): { onChange(listener: (id: string) => void): () => void; tell(id: string): void; readonly listeners: Set<unknown> } {
  const listeners = new Set<(id: string) => void>();
  return {
    listeners,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (id) => listeners.forEach((listener) => listener(id)),
  };
}

const listening = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

it("any number wait for sessions with one signal, which has one listener for all, and none afterwards", async () => {
  const { signal } = new AbortController();
  const store = sessions();
  const changed = Array.from({ length: 50 }, (_, index) => nextChange(store, `s${index}`, signal));
  let end!: () => void;
  const run = new Promise<void>((resolve) => (end = resolve));
  const ended = Array.from({ length: 50 }, () => untilAborted(run, signal));
  expect(listening(signal)).toBe(1);
  for (let index = 0; index < 50; index++) store.tell(`s${index}`);
  end();
  await Promise.all([...changed, ...ended]);
  await turns(2);
  expect([listening(signal), store.listeners.size]).toEqual([0, 0]);
});

it("nobody waits any longer when the signal is aborted, or was before", async () => {
  const stopping = new AbortController();
  const store = sessions();
  const never = new Promise<void>(() => undefined);
  const waiting = Promise.all([nextChange(store, "s", stopping.signal), untilAborted(never, stopping.signal)]);
  stopping.abort();
  await waiting;
  await Promise.all([nextChange(store, "s", stopping.signal), untilAborted(never, stopping.signal)]);
  expect(store.listeners.size).toBe(0);
});

it("a wait for a run that fails leaves no listener behind", async () => {
  const { signal } = new AbortController();
  await expect(untilAborted(Promise.reject(new Error("No disk.")), signal)).rejects.toThrow("No disk.");
  await turns(2);
  expect(listening(signal)).toBe(0);
});
