import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import type { Progress } from "../../src/tool/context.ts";
import type { ReturningCall } from "../../src/tool/returning-call.ts";
import { collectStream } from "../../src/tool/stream-return.ts";

function calling(signal: AbortSignal): { readonly call: ReturningCall; readonly told: Progress[] } {
  const told: Progress[] = [];
  const meta = () => ({ callId: "c", tool: "stream", durationMs: 0 });
  return { told, call: { signal, progress: (update) => void told.push(update), meta } };
}

it("a stream that ended leaves nothing on the signal of its call", async () => {
  const { signal } = new AbortController();
  const words = async function* (): AsyncGenerator<string> {
    yield "a";
  };
  expect(await collectStream(words(), calling(signal).call)).toBe("a");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("a stream of a call that was cancelled before is closed, and not read", async () => {
  let closed = 0;
  let read = 0;
  const stream: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => (read++, Promise.resolve({ done: true as const, value: undefined })),
      return: () => (closed++, Promise.resolve({ done: true as const, value: undefined })),
    }),
  };
  await collectStream(stream, calling(AbortSignal.abort()).call);
  expect([read, closed]).toEqual([0, 1]);
});

it("a value that comes after the call was cancelled is not told", async () => {
  const controller = new AbortController();
  const stream: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        controller.abort();
        return Promise.resolve({ done: false as const, value: "late" });
      },
    }),
  };
  const { call, told } = calling(controller.signal);
  await collectStream(stream, call);
  expect(told).toEqual([]);
});
