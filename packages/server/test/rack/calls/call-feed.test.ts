import { createRegistry, defineTool, type Registry } from "@toolrack/core";
import { type CallLog, createCallLog, createMemoryStore, StoreError } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { createCallFeed } from "../../../src/rack/calls/call-feed.ts";

const tool = defineTool({ name: "tick", description: "Ticks.", inputSchema: { type: "object", properties: {} }, handler: () => "tock" });

function open(): { readonly registry: Registry; readonly calls: CallLog } {
  const calls = createCallLog(createMemoryStore());
  const registry = createRegistry({ recorder: calls });
  registry.register(tool);
  return { registry, calls };
}

async function take(feed: ReturnType<typeof createCallFeed>, since: number, count: number): Promise<number[]> {
  const controller = new AbortController();
  const numbers: number[] = [];
  for await (const { number } of feed.after(since, controller.signal)) {
    numbers.push(number);
    if (numbers.length === count) break;
  }
  controller.abort();
  return numbers;
}

const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, index) => from + index);

describe("the feed of calls", () => {
  it("wakes everybody who waits, whoever looked first", async () => {
    const { registry, calls } = open();
    const feed = createCallFeed({ calls, registry });
    const followers = Array.from({ length: 5 }, () => take(feed, 0, 30));
    for (let index = 0; index < 30; index++) await registry.invoke("tick", {});
    for (const seen of await Promise.all(followers)) expect(seen).toEqual(upTo(30));
  });

  it("finds what other servers recorded, without being told", async () => {
    const { registry, calls } = open();
    const feed = createCallFeed({ calls, registry: createRegistry(), lookEveryMs: 20 });
    const following = take(feed, 0, 3);
    for (let index = 0; index < 3; index++) await registry.invoke("tick", {});
    expect(await following).toEqual(upTo(3));
  });

  it("goes on from any number, over many pages", async () => {
    const { registry, calls } = open();
    await Promise.all(Array.from({ length: 1_230 }, () => registry.invoke("tick", {})));
    const feed = createCallFeed({ calls, registry });
    expect(await take(feed, 0, 1_230)).toEqual(upTo(1_230));
    expect(await take(feed, 1_225, 5)).toEqual(upTo(5, 1_226));
    expect(await feed.last()).toBe(1_230);
  });

  it("outlasts a database that is away for a while", async () => {
    const { registry, calls } = open();
    let isAway = false;
    let refused = 0;
    const list: CallLog["list"] = (query) => {
      if (!isAway) return calls.list(query);
      isAway = ++refused < 3;
      return Promise.reject(new StoreError("STORE_UNAVAILABLE", "The database is away."));
    };
    const feed = createCallFeed({ calls: { ...calls, list }, registry, lookEveryMs: 20 });
    const following = take(feed, 0, 2);
    await registry.invoke("tick", {});
    isAway = true;
    await registry.invoke("tick", {});
    expect(await following).toEqual([1, 2]);
    expect(refused).toBe(3);
  });
});
