import { afterThisTest } from "@toolrack/testkit/cleanup";
import { expect, it, vi } from "vitest";
import { createBatches, type Sent } from "../../../src/telemetry/export/batches.ts";
import type { EndedSpan } from "../../../src/telemetry/export/span.ts";

const span = (name: string): EndedSpan => ({ name }) as EndedSpan;

/** Batches on a clock that stands still, with what was sent and when. */
function openBatches(answer: () => Sent | Promise<Sent>, settings: { delayMs?: number; queueSize?: number; batchSize?: number } = {}) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 0 });
  afterThisTest(() => vi.useRealTimers());
  const sent: string[][] = [];
  const times: number[] = [];
  const batches = createBatches(
    async (spans) => {
      sent.push(spans.map(({ name }) => name));
      times.push(Date.now());
      return answer();
    },
    { delayMs: 1_000, queueSize: 4, batchSize: 2, ...settings },
  );
  return { batches, sent, times };
}

it("a full queue takes no more spans, and counts those that it drops", async () => {
  const { batches, sent } = openBatches(() => "sent");
  for (const name of ["a", "b", "c", "d", "e", "f"]) batches.add(span(name));
  expect(batches.dropped).toBe(2);
  await batches.close();
  expect(sent).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(batches.dropped).toBe(2);
});

it("a full batch is sent at once, and what is left of the queue after it in its time", async () => {
  const { batches, sent, times } = openBatches(() => "sent");
  for (const name of ["a", "b", "c"]) batches.add(span(name));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([["a", "b"]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([sent, times]).toEqual([
    [["a", "b"], ["c"]],
    [0, 1_000],
  ]);
});

it("a batch that comes back finds only the room that is left, and the rest of it is dropped", async () => {
  let resolve!: (answer: Sent) => void;
  const answers = [new Promise<Sent>((answered) => (resolve = answered))];
  const { batches, sent } = openBatches(() => answers.shift() ?? "sent");
  batches.add(span("a"));
  batches.add(span("b"));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([["a", "b"]]);
  for (const name of ["c", "d", "e"]) batches.add(span(name));
  resolve("again");
  await vi.advanceTimersByTimeAsync(0);
  expect(batches.dropped).toBe(1);
  batches.add(span("f"));
  expect(batches.dropped).toBe(2);
  await batches.close();
  expect(sent.slice(1)).toEqual([
    ["a", "c"],
    ["d", "e"],
  ]);
});

it("a receiver that is away is asked after twice the time each time, at most a minute, and after the usual time when it is back", async () => {
  let answer: Sent = "again";
  const { batches, times } = openBatches(() => answer);
  batches.add(span("a"));
  await vi.advanceTimersByTimeAsync(200_000);
  expect(times.map((time, index) => time - (times[index - 1] ?? 0))).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  answer = "sent";
  await vi.advanceTimersByTimeAsync(60_000);
  const back = times.length;
  expect(back).toBe(9);
  const now = Date.now();
  batches.add(span("b"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(times.slice(back)).toEqual([now + 1_000]);
});

it("a full batch does not hurry to a receiver that is away", async () => {
  const { batches, times } = openBatches(() => "again");
  batches.add(span("a"));
  await vi.advanceTimersByTimeAsync(1_000);
  batches.add(span("b"));
  batches.add(span("c"));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(times).toEqual([1_000]);
  await vi.advanceTimersByTimeAsync(500);
  expect(times).toEqual([1_000, 3_000]);
});

it("the end of the process waits for no receiver that is away: what is left is tried once, and counted", async () => {
  const { batches, sent } = openBatches(() => "again");
  for (const name of ["a", "b", "c"]) batches.add(span(name));
  await batches.close();
  expect(sent).toEqual([["a", "b"]]);
  expect(batches.dropped).toBe(3);
  batches.add(span("late"));
  expect(batches.dropped).toBe(4);
});
