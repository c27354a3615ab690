import { createRegistry, defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { createIdentity, createMemoryBroker, serveWorker, workerSource } from "../src/index.ts";
import { createRoster } from "../src/server/roster.ts";
import type { Hello } from "../src/protocol/messages.ts";

const card = (name: string, description = "A.") => ({ name, description, inputSchema: { type: "object" } });
const hello = (startedAt: number, tools: readonly ReturnType<typeof card>[], link = "l"): Hello => ({
  kind: "hello",
  slots: 1,
  startedAt,
  tools,
  exchange: "",
  link,
});

describe("who is in a pool", () => {
  it("is known by tool and by link while workers come, come again, and go", () => {
    const roster = createRoster(() => 0);
    const sender = (instance: string) => ({ key: "k", instance });
    roster.hello(sender("a"), hello(1, [card("x", "old"), card("y")], "one"));
    roster.hello(sender("b"), hello(2, [card("x", "new")], "one"));
    roster.hello(sender("c"), hello(1, [card("x", "old")], "two"));
    expect([roster.having("x").size, roster.having("y").size, roster.having("z").size]).toEqual([3, 1, 0]);
    expect(roster.tools().get("x")?.card.description).toBe("new");
    expect(roster.behind("one").toSorted()).toEqual(["a", "b"]);
    // The same process again: nothing is counted twice.
    roster.hello(sender("a"), hello(1, [card("x", "old")], "three"));
    expect([roster.having("x").size, roster.having("y").size, roster.workers.size]).toEqual([3, 0, 3]);
    expect(roster.behind("one")).toEqual(["b"]);
    roster.lose("b");
    expect(roster.tools().get("x")?.card.description).toBe("old");
    for (const instance of ["a", "c", "c"]) roster.lose(instance);
    expect([roster.having("x").size, roster.tools().size, roster.workers.size, roster.behind("two").length]).toEqual([0, 0, 0, 0]);
  });

  // fault 9
  it("turns inactive in the set time when a worker is silent, without a look at any worker", async () => {
    let now = 1_000_000;
    const [server, worker] = [createIdentity(), createIdentity()];
    const broker = createMemoryBroker();
    const source = workerSource({
      link: broker.connect(),
      pool: "web",
      privateKey: server.privateKey,
      workers: [worker.publicKey],
      silentMs: 200,
      now: () => now,
    });
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    const link = broker.connect();
    const tool = defineTool({ name: "here", description: "Is here.", inputSchema: { type: "object" }, handler: () => "yes" });
    const options = { pool: "web", privateKey: worker.privateKey, servers: [server.publicKey], now: () => now };
    const served = await serveWorker({ link, tools: [tool], ...options });
    afterThisTest(() => served.close());
    await registry.addSource(source);
    expect(source.liveness("here")).toEqual({ isAlive: true });
    expect(source.liveness("nothing")).toEqual({ isAlive: false });
    const seenAt = now;
    link.suspend();
    now += 201;
    await until(() => !source.liveness("here").isAlive);
    expect(source.liveness("here")).toEqual({ isAlive: false, lastSeen: seenAt });
    expect(await registry.invoke("here", {})).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
  });

  it("is not taken for gone by a server that stood still itself and has not heard yet what came meanwhile", async () => {
    let now = 1_000_000;
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    afterThisTest(() => vi.useRealTimers());
    const [server, worker] = [createIdentity(), createIdentity()];
    const broker = createMemoryBroker();
    const shared = { pool: "web", now: () => now };
    const source = workerSource({ ...shared, link: broker.connect(), privateKey: server.privateKey, workers: [worker.publicKey] });
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    const link = broker.connect();
    const tool = defineTool({ name: "here", description: "Is here.", inputSchema: { type: "object" }, handler: () => "yes" });
    const served = await serveWorker({ ...shared, link, tools: [tool], privateKey: worker.privateKey, servers: [server.publicKey] });
    afterThisTest(() => served.close());
    await registry.addSource(source);
    const isAlive = async (): Promise<boolean> => {
      vi.advanceTimersByTime(1_000);
      await turns(3);
      return source.liveness("here").isAlive;
    };
    link.suspend();
    now += 8_000;
    expect(await isAlive()).toBe(true);
    link.restore();
    expect([await isAlive(), await isAlive()]).toEqual([true, true]);
    link.suspend();
    const seen: boolean[] = [];
    for (let second = 0; second < 6; second++) {
      now += 1_000;
      seen.push(await isAlive());
    }
    expect(seen).toEqual([true, true, true, true, false, false]);
  });
});
