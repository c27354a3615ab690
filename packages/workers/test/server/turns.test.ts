import { turns as laterTurns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { createRoster } from "../../src/server/roster.ts";
import { createTurns, type Turns } from "../../src/server/turns.ts";

/** A pool of workers, each with these tools and one slot unless it says otherwise. */
function open(...workers: readonly { readonly tools: readonly string[]; readonly slots?: number }[]) {
  const roster = createRoster(() => 0);
  for (const [index, { tools, slots = 1 }] of workers.entries()) {
    const cards = tools.map((name) => ({ name, description: name, inputSchema: {} }));
    roster.hello(
      { key: `key-${index}`, instance: `${index}` },
      { kind: "hello", slots, startedAt: 0, tools: cards, exchange: "", link: `${index}` },
    );
  }
  const turns = createTurns({ roster, pool: "web", maxWaiting: 10 });
  const given: string[] = [];
  const take = (caller: string, tool: string, signal = new AbortController().signal) => {
    const taken = turns.take(caller, tool, roster.tools().get(tool)!.hash, signal);
    void taken.then(
      ({ sender }) => given.push(`${caller} ${tool} on ${sender.instance}`),
      () => undefined,
    );
    return taken;
  };
  return { turns, take, given };
}

async function end(turns: Turns, taken: ReturnType<Turns["take"]>): Promise<void> {
  turns.end(await taken);
  await laterTurns();
}

describe("turns", () => {
  it("offer a worker no more calls than it has slots, whatever it says of itself", async () => {
    const { turns, take, given } = open({ tools: ["a"], slots: 2 });
    const [first] = [take("ann", "a"), take("ann", "a"), take("ann", "a"), take("ann", "a")];
    await laterTurns();
    expect(given).toHaveLength(2);
    await end(turns, first!);
    expect(given).toHaveLength(3);
  });

  it("go to the worker with the most room", async () => {
    const { take, given } = open({ tools: ["a"], slots: 1 }, { tools: ["a"], slots: 3 });
    for (let count = 0; count < 4; count++) await take("ann", "a");
    expect(given).toEqual(["ann a on 0", "ann a on 1", "ann a on 1", "ann a on 1"]);
  });

  it("of a caller who waits for one tool are not held up for another tool whose worker is free", async () => {
    const { turns, take, given } = open({ tools: ["slow"] }, { tools: ["quick"] });
    const running = take("ann", "slow");
    void take("ann", "slow");
    void take("ann", "quick");
    await laterTurns();
    expect(given).toEqual(["ann slow on 0", "ann quick on 1"]);
    await end(turns, running);
    expect(given.slice(2)).toEqual(["ann slow on 0"]);
  });

  it("of one caller and one tool keep their order", async () => {
    const { turns, take } = open({ tools: ["a"] });
    const order: number[] = [];
    const calls = [0, 1, 2, 3].map((number) => {
      const taken = take("ann", "a");
      void taken.then(() => order.push(number));
      return taken;
    });
    for (const call of calls) await end(turns, call);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it("of one caller go to the call that waits longest, whatever its tool", async () => {
    const { turns, take, given } = open({ tools: ["a", "b"] });
    const calls = ["a", "b", "a", "a", "b"].map((tool) => take("ann", tool));
    for (const call of calls) await end(turns, call);
    expect(given).toEqual(["ann a on 0", "ann b on 0", "ann a on 0", "ann a on 0", "ann b on 0"]);
  });

  it("are refused where as many calls wait as may, and waited for again when one has left", async () => {
    const { take } = open({ tools: ["a"] });
    await take("ann", "a");
    const leaving = new AbortController();
    const waiting = [take("ann", "a", leaving.signal), ...Array.from({ length: 9 }, () => take("ann", "a"))];
    await expect(take("bob", "a")).rejects.toMatchObject({ code: "QUEUE_FULL", retryable: true });
    leaving.abort(new Error("gone"));
    await expect(waiting[0]).rejects.toThrow("gone");
    let isRefused = false;
    void take("bob", "a").catch(() => (isRefused = true));
    await laterTurns();
    expect(isRefused).toBe(false);
  });

  it("are given to nobody who has left", async () => {
    const { turns, take, given } = open({ tools: ["a"] });
    const running = take("ann", "a");
    const leaving = new AbortController();
    const left = take("bob", "a", leaving.signal);
    void take("eve", "a");
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await end(turns, running);
    expect(given).toEqual(["ann a on 0", "eve a on 0"]);
  });
});
