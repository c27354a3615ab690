import type { StoredTask } from "@toolrack/mcp";
import { type BreadcrumbStore, createMemoryStore, createTickets } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { withOlderTasks } from "../../../src/rack/mcp/all-tasks.ts";
import { readOlderTasks } from "../../../src/rack/mcp/older-tasks.ts";
import { createMessageSealer } from "../../../src/rack/mcp/sealed-messages.ts";
import { createTasks, type Tasks } from "../../../src/rack/mcp/tasks.ts";
import { followRecords } from "../../../src/rack/store/records.ts";

const call = { callId: "call-1", input: { text: "secret of ann" }, caller: { agent: "ann" } };
const sealer = createMessageSealer(new Uint8Array(32));

async function openStore(): Promise<BreadcrumbStore> {
  const store = await createMemoryStore();
  afterThisTest(() => store.close());
  return store;
}

/** Servers of this version on one store. */
function serversOn(store: BreadcrumbStore): readonly [Tasks, Tasks] {
  const open = (name: string): Tasks => createTasks({ tickets: createTickets(store), server: { name }, sealer });
  return [open("server-0"), open("server-1")];
}

async function twoServers(): Promise<readonly [Tasks, Tasks]> {
  return serversOn(await openStore());
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

describe("tasks of MCP clients", () => {
  it("are there on every server as soon as they were made, and unknown ones nowhere", async () => {
    const [here, there] = await twoServers();
    await here.create(task(), call);
    expect(await there.get("one")).toEqual(await here.get("one"));
    expect(await there.get("one")).toMatchObject({ owner: "ann", status: "working" });
    expect(await there.get("other")).toBeUndefined();
  });

  it("change only from the revision that was looked at: of two servers one wins", async () => {
    const [here, there] = await twoServers();
    await here.create(task(), call);
    const done = await Promise.all(
      [here, there].map((server, index) => server.replace(task({ revision: 2, statusMessage: `by ${index}` }), 1)),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await here.replace(task({ revision: 3 }), 1)).toBe(false);
  });

  it("are told to whoever watches them on another server", async () => {
    const [here, there] = await twoServers();
    await here.create(task(), call);
    const told = new Promise<void>((resolve) => void there.watch("one", resolve));
    await here.replace(task({ revision: 2, status: "completed" }), 1);
    await told;
    expect(await there.get("one")).toMatchObject({ status: "completed" });
  });

  it("are held by the server that made them until they are over or taken, and only once", async () => {
    const [here, there] = await twoServers();
    await here.create(task(), call);
    await here.create(task({ taskId: "done" }), call);
    expect(await here.replace(task({ taskId: "done", revision: 2, status: "completed" }), 1)).toBe(true);
    expect(await there.servers()).toEqual(["server-0"]);
    expect(await there.held("server-1")).toEqual([]);
    const [held, ...others] = await there.held("server-0");
    expect([held, others]).toMatchObject([{ task: { taskId: "one" }, server: "server-0", job: undefined }, []]);
    expect(await there.take(held!, task({ revision: 2, runs: 2 }), "job-1")).toBe(true);
    expect(await there.take(held!, task({ revision: 2, runs: 2 }), "job-2")).toBe(false);
    expect(await here.held("server-0")).toEqual([]);
    expect(await here.find("one")).toMatchObject({ server: "", job: "job-1", task: { runs: 2 } });
    expect(await here.replace(task({ revision: 2, status: "completed" }), 1)).toBe(false);
  });

  it("keep their call sealed, for servers alone, and only until they are over", async () => {
    const store = await openStore();
    const [here, there] = serversOn(store);
    await here.create(task(), call);
    expect((await there.find("one"))!.call()).toEqual(call);
    expect(JSON.stringify(await createTickets(store).get("task", "one"))).not.toContain("secret of ann");
    await here.replace(task({ revision: 2, status: "completed" }), 1);
    expect((await there.find("one"))!.call()).toBeUndefined();
    await here.create(task({ taskId: "large" }), { ...call, input: { text: "x".repeat(300_000) } });
    expect((await there.find("large"))!.call()).toBeUndefined();
  });

  it("forget a call that somebody put into another task", async () => {
    const store = await openStore();
    const [here, there] = serversOn(store);
    await here.create(task(), call);
    await here.create(task({ taskId: "two", owner: "bob" }), { ...call, input: {} });
    const tickets = createTickets(store);
    const [one, two] = [(await tickets.get("task", "one"))!, (await tickets.get("task", "two"))!];
    const body = JSON.stringify({ ...(JSON.parse(two.body) as object), call: (JSON.parse(one.body) as { call: string }).call });
    expect(await tickets.replace({ ...two, version: 2, body })).toBe(true);
    expect((await there.find("two"))!.call()).toBeUndefined();
  });

  it("are gone when their time is over", async () => {
    const [here] = await twoServers();
    await here.create(task({ createdAt: new Date(Date.now() - 5_000).toISOString(), ttlMs: 5_050 }), call);
    await expect.poll(() => here.get("one")).toBeUndefined();
  });

  it("are limited for each owner: finished ones make room, and while none is finished a further one is refused", async () => {
    const tasks = createTasks({ tickets: createTickets(await openStore()), server: { name: "s" }, sealer, maxPerOwner: 2 });
    await tasks.create(task({ taskId: "a" }), call);
    await tasks.create(task({ taskId: "b" }), call);
    await expect((async () => tasks.create(task({ taskId: "c" }), call))()).rejects.toMatchObject({
      code: "QUEUE_FULL",
      message: "You have 2 tasks running already. Try again when one has ended.",
    });
    await tasks.create(task({ taskId: "other", owner: "bob" }), call);
    await tasks.replace(task({ taskId: "a", revision: 2, status: "completed" }), 1);
    await tasks.create(task({ taskId: "c" }), call);
    expect(await Promise.all(["a", "b", "c", "other"].map(async (id) => (await tasks.get(id))?.taskId))).toEqual([
      undefined,
      "b",
      "c",
      "other",
    ]);
  });

  it("tell who watches them that they expired", async () => {
    const [here] = await twoServers();
    await here.create(task({ ttlMs: 100 }), call);
    await new Promise<void>((resolve) => void here.watch("one", resolve));
    expect(await here.get("one")).toBeUndefined();
  });

  it("write no record", async () => {
    const store = await openStore();
    const [here] = serversOn(store);
    await here.create(task(), call);
    await here.replace(task({ revision: 2, status: "completed" }), 1);
    expect(await store.sequence()).toBe(0);
  });
});

describe("tasks that an earlier version stored as records", () => {
  async function open() {
    const store = await openStore();
    const feed = await followRecords(store, () => expect.unreachable());
    afterThisTest(() => feed.close());
    const tasks = withOlderTasks(serversOn(store)[1], readOlderTasks(feed, sealer));
    const put = async (changes: Partial<StoredTask>, server = "server-0"): Promise<void> => {
      const one = task(changes);
      const sealed = sealer.seal(JSON.stringify(["task", one.taskId, one.owner, one.tool]), JSON.stringify(call));
      const context = { task: one, server, call: sealed } as never;
      const ttl = { at: new Date(Date.parse(one.createdAt) + one.ttlMs).toISOString() };
      await store.put({
        id: `mcp-task-${one.taskId}`,
        schema_name: "toolrack.mcp-task.v1",
        title: "A task of an MCP client",
        context,
        ttl,
      });
      await expect.poll(async () => (await tasks.get(one.taskId)) !== undefined).toBe(true);
    };
    return { store, tasks, put };
  }

  it("are shown, changed, watched and taken over as others are", async () => {
    const { tasks, put } = await open();
    await put({});
    await put({ taskId: "over", status: "completed" });
    await tasks.create(task({ taskId: "new" }), call);
    expect([...(await tasks.servers())].sort()).toEqual(["server-0", "server-1"]);
    const [held, ...others] = await tasks.held("server-0");
    expect([held, others]).toMatchObject([{ task: { taskId: "one" }, server: "server-0" }, []]);
    expect(held!.call()).toEqual(call);
    const told = new Promise<void>((resolve) => void tasks.watch("one", resolve));
    expect(await tasks.take(held!, task({ revision: 2, runs: 2 }), "job-1")).toBe(true);
    await told;
    expect(await tasks.take(held!, task({ revision: 2, runs: 2 }), "job-2")).toBe(false);
    expect(await tasks.find("one")).toMatchObject({ server: "", job: "job-1", task: { runs: 2 } });
    expect(await tasks.replace(task({ revision: 3, status: "cancelled" }), 1)).toBe(false);
    expect(await tasks.replace(task({ revision: 3, status: "cancelled" }), 2)).toBe(true);
    expect(await tasks.find("one")).toMatchObject({ server: "", job: "job-1", task: { status: "cancelled" } });
    expect((await tasks.find("one"))!.call()).toBeUndefined();
  });

  it("stay records, and new ones become none", async () => {
    const { store, tasks, put } = await open();
    await put({});
    const before = await store.sequence();
    await tasks.create(task({ taskId: "new" }), call);
    expect(await tasks.get("new")).toMatchObject({ taskId: "new" });
    expect(await store.sequence()).toBe(before);
    await tasks.replace(task({ revision: 2, status: "completed" }), 1);
    expect(await store.get("mcp-task-one")).toMatchObject({ version: 2, context: { task: { status: "completed" } } });
  });
});
