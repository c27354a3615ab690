import { defineTool } from "@toolrack/core";
import { createMemoryStore } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/read.ts";
import { createStartup } from "../../../src/rack/jobs/startup.ts";
import { serverActor } from "../../../src/rack/store/open-store.ts";

const order: string[] = [];
const tool = (name: string, handler: () => unknown = () => order.push(name)) =>
  defineTool({
    name,
    description: "Starts.",
    inputSchema: { type: "object", properties: {} },
    handler: async () => String(await handler()),
  });

describe("tools at the start", () => {
  // row: F23
  it("are called by priority, after those that they wait for, and what waits for a failed one is not called", async () => {
    order.length = 0;
    const fails = tool("fails", () => Promise.reject(new Error("broken")));
    const rack = await openTestRack({
      config: {
        startup: {
          last: { wait_for: ["first", "second"], priority: 90 },
          first: { priority: 60 },
          second: {},
          fails: { priority: 1 },
          never: { wait_for: ["fails"] },
          off: { mode: "disabled" },
        },
      },
      tools: [tool("first"), tool("second"), tool("last"), fails, tool("never"), tool("off")],
    });
    await until(async () => (await rack.jobs.startup()).filter(({ state }) => state === "done" || state === "dead").length === 4);
    expect(order).toEqual(["first", "second", "last"]);
    const shown = Object.fromEntries((await rack.jobs.startup()).map(({ tool: name, state, error }) => [name, [state, error]]));
    expect(shown).toMatchObject({
      fails: ["dead", expect.stringContaining("TOOL_FAILED")],
      never: ["pending", undefined],
      off: ["pending", undefined],
    });
    const [call] = await rack.calls.list({ tool: "first" });
    expect(call!.caller).toMatchObject({ agent: "startup", principal: "startup startup" });
  });

  // row: F23
  it("are called again when they end, if they are continuous, and by one of two servers alone", async () => {
    const folder = temporaryFolder();
    let [onces, runs, now, most] = [0, 0, 0, 0];
    const once = tool("once", () => (onces += 1));
    const always = defineTool({
      name: "always",
      description: "Runs until it crashes.",
      inputSchema: { type: "object", properties: {} },
      async handler(_, { signal }) {
        runs += 1;
        most = Math.max(most, ++now);
        try {
          if (runs === 1) throw new Error("crashed");
          await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
          return "";
        } finally {
          now -= 1;
        }
      },
    });
    const config = { startup: { once: {}, always: { mode: "continuous", wait_for: ["once"] } } } as const;
    const open = () => openTestRack({ folder, config, tools: [once, always], environment: {} });
    const racks = [await open(), await open()];
    await until(
      async () => (await racks[1]!.jobs.startup()).some(({ tool: name, state }) => name === "always" && state === "running") && runs === 2,
    );
    expect([onces, most]).toEqual([1, 1]);
    await racks[0]!.close({ graceMs: 0 });
    // The other one goes on. It started after the last call of the first tool: this is its start.
    await until(() => runs >= 3 && now === 1, "Nobody went on.");
    expect([onces, most]).toEqual([2, 1]);
  });

  it("are called once for a start, also where another server that ran already then leads", async () => {
    const inner = createMemoryStore().as(serverActor);
    const added: string[] = [];
    const job = (name: string) => ({ id: name, state: "done", startedAt: 1, endedAt: 1 }) as never;
    const jobs = {
      add: async (call: { readonly tool: string }) => (added.push(call.tool), { job: job(call.tool), isNew: true }),
      list: async ({ origin }: { readonly origin?: string } = {}) => [job(origin!)],
      waitFor: async (id: string) => job(id),
    };
    const nothing = (): void => undefined;
    const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
    const times = { leaseMs: 30_000, renewMs: 5, shortestMs: 5, longestMs: 10 };
    /** Leads until it has called the last of these tools. */
    const lead = async (ownName: string, startedAt: number, tools: Readonly<Record<string, object>>, last: string): Promise<void> => {
      const startup = createStartup({
        tools,
        jobs,
        inner,
        startedAt,
        log,
        ownName: () => ownName,
        awaySources: () => [],
        now: () => 100,
        times,
      });
      startup.begin();
      await until(() => added.at(-1) === last);
      await startup.close();
    };
    await lead("a", 10, { once: {} }, "once");
    await lead("b", 50, { once: {}, after: { wait_for: ["once"] } }, "after");
    expect(added).toEqual(["once", "after"]);
    await lead("c", 150, { once: {} }, "once");
    expect(added).toEqual(["once", "after", "once"]);
  });

  it("wait twice as long after each failure, up to the longest, if they are continuous", async () => {
    const waits: unknown[] = [];
    const nothing = (): void => undefined;
    const log = { debug: nothing, info: nothing, warn: (_: string, facts?: object) => waits.push(facts), error: nothing };
    const dead = { id: "always", state: "dead", startedAt: 1, endedAt: 1 } as never;
    const startup = createStartup({
      tools: { always: { mode: "continuous" } },
      jobs: { add: async () => ({ job: dead, isNew: true }), list: async () => [dead], waitFor: async () => dead },
      inner: createMemoryStore().as(serverActor),
      startedAt: 1,
      log: log as never,
      ownName: () => "a",
      awaySources: () => [],
      now: () => 1,
      times: { leaseMs: 30_000, renewMs: 5, shortestMs: 2, longestMs: 8 },
    });
    startup.begin();
    await until(() => waits.length >= 4);
    await startup.close();
    expect(waits.slice(0, 4)).toMatchObject([2, 4, 8, 8].map((delayMs) => ({ tool: "always", delayMs })));
  });

  it("are under the policy of their agent", async () => {
    const rack = await openTestRack({
      config: { startup: { first: { agent: "ops" } }, policy: { agents: { ops: { tools: { deny: ["first"] } } } } },
      tools: [tool("first")],
    });
    await until(async () => (await rack.jobs.startup())[0]!.error !== undefined);
    expect(await rack.jobs.startup()).toMatchObject([{ state: "pending", error: expect.stringContaining("agents.ops.tools.deny") }]);
  });

  it("that wait for each other, for unknown ones or for disabled ones are refused with the file", () => {
    const faultOf = (startup: object): string => JSON.stringify(readConfig(JSON.stringify({ startup }), "toolrack.config.yaml"));
    expect(faultOf({ a: { wait_for: ["b"] }, b: { wait_for: ["c"] }, c: { wait_for: ["a"] } })).toContain("a → b → c → a");
    expect(faultOf({ a: { wait_for: ["x"] } })).toMatch(/x\W+, which is not in startup/);
    expect(faultOf({ a: { wait_for: ["b"] }, b: { mode: "disabled" } })).toMatch(/b\W+, which is disabled/);
    expect(faultOf({ a: { mode: "often" } })).toContain("once");
    expect(faultOf({ a: { wait_for: ["b"] }, b: {} })).toContain('"ok":true');
  });
});
