import type { StoredTask } from "@toolrack/mcp";
import { type BreadcrumbStore, createMemoryStore } from "@toolrack/store";
import { afterEach, describe, expect, it } from "vitest";
import { followRecords } from "../../../src/rack/store/records.ts";
import { createTaskRecords } from "../../../src/rack/mcp/tasks.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const stores: BreadcrumbStore[] = [];
const call = { callId: "call-1", input: { text: "secret of ann" }, caller: { agent: "ann" } };

/** Two servers on one store. */
async function twoServers(): Promise<readonly ReturnType<typeof createTaskRecords>[]> {
  const store = await createMemoryStore();
  stores.push(store);
  ends.push(() => store.close());
  const feeds = await Promise.all([0, 1].map(() => followRecords(store, () => expect.unreachable())));
  for (const feed of feeds) ends.push(() => feed.close());
  return feeds.map((feed, index) => createTaskRecords({ feed, server: { name: `server-${index}` }, sharedKey: new Uint8Array(32) }));
}

function task(changes: Partial<StoredTask> = {}): StoredTask {
  const now = new Date().toISOString();
  return {
    taskId: "one",
    owner: "ann",
    tool: "slow",
    status: "working",
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: 60_000,
    pollIntervalMs: 1_000,
    inputRequests: {},
    inputResponses: {},
    revision: 1,
    ...changes,
  };
}

describe("tasks as records", () => {
  it("are there on every server as soon as they were made, and unknown ones nowhere", async () => {
    const [here, there] = await twoServers();
    await here!.create(task(), call);
    expect(await there!.get("one")).toEqual(await here!.get("one"));
    expect(await there!.get("one")).toMatchObject({ owner: "ann", status: "working" });
    expect(await there!.get("other")).toBeUndefined();
  });

  it("change only from the revision that was looked at: of two servers one wins", async () => {
    const [here, there] = await twoServers();
    await here!.create(task(), call);
    const done = await Promise.all(
      [here!, there!].map((server, index) => server.replace(task({ revision: 2, statusMessage: `by ${index}` }), 1)),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await here!.replace(task({ revision: 3 }), 1)).toBe(false);
  });

  it("are told to whoever watches them on another server", async () => {
    const [here, there] = await twoServers();
    await here!.create(task(), call);
    const told = new Promise<void>((resolve) => void there!.watch!("one", resolve));
    await here!.replace(task({ revision: 2, status: "completed" }), 1);
    await told;
    expect(await there!.get("one")).toMatchObject({ status: "completed" });
  });

  it("are held by the server that made them until they are over or taken, and only once", async () => {
    const [here, there] = await twoServers();
    await here!.create(task(), call);
    await here!.create(task({ taskId: "done" }), call);
    expect(await here!.replace(task({ taskId: "done", revision: 2, status: "completed" }), 1)).toBe(true);
    await expect.poll(() => there!.servers()).toEqual(["server-0"]);
    expect(await there!.held("server-1")).toEqual([]);
    const [held, ...others] = await there!.held("server-0");
    expect([held, others]).toMatchObject([{ task: { taskId: "one" }, server: "server-0", job: undefined }, []]);
    expect(await there!.take(held!, task({ revision: 2, runs: 2 }), "job-1")).toBe(true);
    expect(await there!.take(held!, task({ revision: 2, runs: 2 }), "job-2")).toBe(false);
    expect(await here!.held("server-0")).toEqual([]);
    expect(await here!.find("one")).toMatchObject({ server: "", job: "job-1", task: { runs: 2 } });
    expect(await here!.replace(task({ revision: 2, status: "completed" }), 1)).toBe(false);
  });

  it("keep their call sealed, for servers alone, and only until they are over", async () => {
    const [here, there] = await twoServers();
    await here!.create(task(), call);
    expect((await there!.find("one"))!.call()).toEqual(call);
    expect(JSON.stringify(await stores.at(-1)!.get("mcp-task-one"))).not.toContain("secret of ann");
    await here!.replace(task({ revision: 2, status: "completed" }), 1);
    expect((await there!.find("one"))!.call()).toBeUndefined();
    await here!.create(task({ taskId: "large" }), { ...call, input: { text: "x".repeat(300_000) } });
    expect((await there!.find("large"))!.call()).toBeUndefined();
  });

  it("forget a call that somebody put into another task", async () => {
    const [here, there] = await twoServers();
    await here!.create(task(), call);
    await here!.create(task({ taskId: "two", owner: "bob" }), { ...call, input: {} });
    const store = stores.at(-1)!;
    const [one, two] = [(await store.get("mcp-task-one"))!, (await store.get("mcp-task-two"))!];
    await store.put({ ...two, context: { ...two.context, call: one.context["call"] } });
    expect((await there!.find("two"))!.call()).toBeUndefined();
  });

  it("are gone when their time is over", async () => {
    const [here] = await twoServers();
    await here!.create(task({ createdAt: new Date(Date.now() - 5_000).toISOString(), ttlMs: 5_050 }), call);
    await expect.poll(() => here!.get("one")).toBeUndefined();
  });
});
