import type { StoredTask } from "@toolrack/mcp";
import { createMemoryStore } from "@toolrack/store";
import { afterEach, describe, expect, it } from "vitest";
import { followRecords } from "../../../src/rack/store/records.ts";
import { createTaskRecords } from "../../../src/rack/mcp/tasks.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Two servers on one store. */
async function twoServers(): Promise<readonly ReturnType<typeof createTaskRecords>[]> {
  const store = await createMemoryStore();
  ends.push(() => store.close());
  const feeds = await Promise.all([0, 1].map(() => followRecords(store, () => expect.unreachable())));
  for (const feed of feeds) ends.push(() => feed.close());
  return feeds.map((feed, index) => createTaskRecords(feed, { name: `server-${index}` }));
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
    await here!.create(task());
    expect(await there!.get("one")).toEqual(await here!.get("one"));
    expect(await there!.get("one")).toMatchObject({ owner: "ann", status: "working" });
    expect(await there!.get("other")).toBeUndefined();
  });

  it("change only from the revision that was looked at: of two servers one wins", async () => {
    const [here, there] = await twoServers();
    await here!.create(task());
    const done = await Promise.all(
      [here!, there!].map((server, index) => server.replace(task({ revision: 2, statusMessage: `by ${index}` }), 1)),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await here!.replace(task({ revision: 3 }), 1)).toBe(false);
  });

  it("are told to whoever watches them on another server", async () => {
    const [here, there] = await twoServers();
    await here!.create(task());
    const told = new Promise<void>((resolve) => void there!.watch!("one", resolve));
    await here!.replace(task({ revision: 2, status: "completed" }), 1);
    await told;
    expect(await there!.get("one")).toMatchObject({ status: "completed" });
  });

  it("OP4: end as failed when their server is gone, on whichever server it is noticed, and stay so", async () => {
    const [here, there] = await twoServers();
    await here!.create(task());
    await here!.create(task({ taskId: "done" }));
    expect(await here!.replace(task({ taskId: "done", revision: 2, status: "completed" }), 1)).toBe(true);
    await expect.poll(() => there!.servers()).toEqual(["server-0"]);
    expect(await there!.abandon("server-1")).toBe(0);
    expect(await there!.abandon("server-0")).toBe(1);
    expect(await there!.get("one")).toMatchObject({
      status: "failed",
      error: { code: -32_603, message: expect.stringMatching(/is unknown/) as string },
    });
    expect(await there!.get("done")).toMatchObject({ status: "completed" });
    expect(await there!.abandon("server-0")).toBe(0);
    expect(await here!.replace(task({ revision: 2, status: "completed" }), 1)).toBe(false);
  });

  it("are gone when their time is over", async () => {
    const [here] = await twoServers();
    await here!.create(task({ createdAt: new Date(Date.now() - 5_000).toISOString(), ttlMs: 5_050 }));
    await expect.poll(() => here!.get("one")).toBeUndefined();
  });
});
