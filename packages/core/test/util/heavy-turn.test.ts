import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { expect, it, vi } from "vitest";
import { heavyTurn } from "../../src/util/heavy-turn.ts";

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
