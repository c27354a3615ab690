import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { expect, it, vi } from "vitest";
import { heavyTurn, isLargeJson } from "../../src/util/heavy-turn.ts";

it("SD8: one heavy piece of work begins in each turn of the event loop, and what is light comes between them", async () => {
  const order: string[] = [];
  const heavy = Array.from({ length: 3 }, (_, index) => heavyTurn().then(() => order.push(`heavy ${index}`)));
  const light = new Promise<void>((resolve) => {
    const begin = (): void => {
      order.push("light");
      if (order.includes("heavy 2")) resolve();
      else setImmediate(begin);
    };
    setImmediate(begin);
  });
  await Promise.all([...heavy, light]);
  expect(order.filter((name) => name !== "light")).toEqual(["heavy 0", "heavy 1", "heavy 2"]);
  for (const index of [0, 1]) expect(order.slice(order.indexOf(`heavy ${index}`), order.indexOf(`heavy ${index + 1}`))).toContain("light");
});

it("SD8: what needs several turns of the loop is done between two pieces that take long", async () => {
  const order: string[] = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  afterThisTest(() => vi.useRealTimers());
  const light = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    order.push("light");
  };
  const first = heavyTurn().then(() => {
    const arrived = light();
    vi.advanceTimersByTime(30); // as long as the piece takes
    order.push("heavy 0");
    return arrived;
  });
  const second = heavyTurn().then(() => order.push("heavy 1"));
  await first;
  await turns();
  expect(order).toEqual(["heavy 0", "light"]);
  await vi.advanceTimersByTimeAsync(30);
  await second;
  expect(order).toEqual(["heavy 0", "light", "heavy 1"]);
});

it("TD11: callers take turns: one piece of a caller waits for one of another, not for all of them", async () => {
  const order: string[] = [];
  const piece = (caller: string, name: string): Promise<number> => heavyTurn(caller).then(() => order.push(name));
  await Promise.all([
    ...Array.from({ length: 10 }, (_, index) => piece("greedy", `greedy ${index}`)),
    piece("ada", "ada 0"),
    piece("ben", "ben 0"),
    piece("ada", "ada 1"),
  ]);
  expect(order.slice(0, 6)).toEqual(["greedy 0", "ada 0", "ben 0", "greedy 1", "ada 1", "greedy 2"]);
  expect(order).toHaveLength(13);
});

it("TD11: JSON is large with more than 64 KiB, or with 1,000 values", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const list = (length: number): Uint8Array => bytes(JSON.stringify(Array.from({ length }, () => 1)));
  expect([isLargeJson(bytes("")), isLargeJson(list(997)), isLargeJson(list(999))]).toEqual([false, false, true]);
  expect(isLargeJson(bytes(JSON.stringify(Object.fromEntries(Array.from({ length: 999 }, (_, index) => [index, index])))))).toBe(true);
  expect(isLargeJson(bytes(JSON.stringify(Array.from({ length: 500 }, () => ({}))))), "openings count").toBe(true);
  expect([isLargeJson(bytes("x".repeat(65_536))), isLargeJson(bytes("x".repeat(65_537)))]).toEqual([false, true]);
});
