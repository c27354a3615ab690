import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack, sharedMasterKey } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { ReadServer } from "../../../src/rack/cluster/cluster-facts.ts";
import { clusterProblems } from "../../../src/rack/cluster/cluster-problems.ts";
import { sourceFacts } from "../../../src/rack/cluster/source-facts.ts";
import { createOwnFacts, toServerInfo } from "../../../src/rack/cluster/server-info.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { readMetrics } from "../../telemetry/prometheus.ts";

let release = (): void => undefined;
const hold = defineTool({
  name: "hold",
  description: "Runs until it is let go.",
  inputSchema: { type: "object" },
  handler: () => new Promise<string>((resolve) => void (release = () => resolve("done"))),
});

const nowhere = { url: "http://127.0.0.1:9/mcp", allowHosts: ["127.0.0.1:9"] };
const worker = `ed25519:${Buffer.alloc(32, 3).toString("base64url")}`;

/** A server on a database that others may share. It is known to them, with its sources as they are. */
async function start(database: string, config: RackConfig = {}): Promise<Rack> {
  const rack = await openTestRack({
    folder: temporaryFolder(),
    environment: { TOOLRACK_MASTER_KEY: sharedMasterKey },
    config: { ...config, store: { sqlite: database } },
    tools: [hold],
    leaseTimes: { beatMs: 20, silentMs: 30_000 },
  });
  await rack.sources.ready();
  return rack;
}

/** What the others know of it. */
async function seen(by: Rack, of: Rack): Promise<ReadServer | undefined> {
  return (await by.cluster.read()).servers?.find(({ name }) => name === of.servers.name);
}

describe("any server of a cluster", () => {
  it("tells for each of them which sources are down and why, and which configuration it has", async () => {
    const database = join(temporaryFolder(), "shared.db");
    const [well, ill] = [await start(database), await start(database, { sources: { away: nowhere } })];
    await until(async () => (await seen(well, ill))?.info.sources?.down[0]?.state === "failed");
    const { body } = await serverOver(well).ask("GET", "/status");
    const [own, other] = body.servers;
    expect(own).toMatchObject({ isThis: true, config: "same", sources: { down: [] }, leases: { lost: 0, taken: 0 } });
    expect(other).toMatchObject({
      name: ill.servers.name,
      config: "different",
      differs: ["sources"],
      sources: { states: { failed: 1 }, down: [{ id: "away", state: "failed", reason: expect.stringMatching(/./) }] },
    });
    expect(other.configDigest).toMatch(/^[0-9a-f]{8}$/);
    expect(other.configDigest).not.toBe(own.configDigest);
    const sentence = expect.stringMatching(new RegExp(`^On the server ${ill.servers.name.slice(-6)} .*sources failed: away \\(`));
    expect(body.problems).toContainEqual(sentence);
    expect((await serverOver(well).ask("GET", "/health")).body.problems).toContainEqual(sentence);
    // It tells of its own in a line of its own.
    expect((await serverOver(ill).ask("GET", "/status")).body.problems).not.toContainEqual(sentence);

    const { samples } = readMetrics(await (await serverOver(well).request("GET", "/metrics")).text());
    expect(Object.fromEntries(samples)).toMatchObject({
      'toolrack_servers{status="active"}': 2,
      'toolrack_servers_differing{in="config"}': 1,
      'toolrack_servers_differing{in="master_key"}': 0,
      [`toolrack_sources_down{server="${ill.servers.name}"}`]: 1,
      [`toolrack_sources_down{server="${well.servers.name}"}`]: 0,
      toolrack_leases_lost_total: 0,
    });
    expect([...samples.keys()].filter((key) => key.startsWith("toolrack_server_info{"))).toHaveLength(2);
    expect(samples.get("toolrack_store_size_bytes")).toBeGreaterThan(0);
  });

  it("tells which of them does not reach a broker, and which pool has no worker", async () => {
    const database = join(temporaryFolder(), "shared.db");
    const pool = (connect: string): RackConfig => ({ sources: { gpu: { workers: { connect, keys: [worker] } } } });
    const [well, cut] = [await start(database, pool("server")), await start(database, pool("nats://127.0.0.1:9"))];
    await until(async () => (await seen(well, cut))?.info.pools?.[0]?.broker === "away");
    const { body } = await serverOver(well).ask("GET", "/status");
    expect(body.servers.map(({ pools }: { pools: unknown }) => pools)).toEqual([
      [{ source: "gpu", workers: 0, slots: 0, running: 0 }],
      [{ source: "gpu", broker: "away", workers: 0, slots: 0, running: 0 }],
    ]);
    expect(body.problems).toContainEqual(expect.stringMatching(`^The server ${cut.servers.name.slice(-6)} .*does not reach the broker`));
    expect(body.problems.filter((one: string) => one.includes('No server sees a worker of "gpu"'))).toHaveLength(1);
    const { samples } = readMetrics(await (await serverOver(cut).request("GET", "/metrics")).text());
    expect([samples.get('toolrack_broker_up{pool="gpu"}'), samples.get('toolrack_workers{pool="gpu"}')]).toEqual([0, 0]);
  });

  it("tells how many jobs wait, and for how long the oldest has been due", async () => {
    const database = join(temporaryFolder(), "shared.db");
    const rack = await start(database, { jobs: { slots: 1 } });
    const server = serverOver(rack);
    onTestFinished(() => release());
    const caller = { agent: "a" };
    expect((await server.ask("GET", "/status")).body.waiting.oldestJobMs).toBe(0);
    for (let count = 0; count < 2; count++) await rack.jobs.add({ tool: "hold", input: {}, caller });
    await rack.jobs.add({ tool: "hold", input: {}, caller, at: Date.now() + 3_600_000 });
    await until(async () => (await rack.jobs.counts()).running === 1);
    await until(async () => (await rack.cluster.read()).oldestJobMs! > 0);
    const { body } = await server.ask("GET", "/status");
    expect(body.jobs).toMatchObject({ waiting: 2, running: 1 });
    expect(body.waiting.oldestJobMs).toBeLessThan(3_600_000);
    const { samples } = readMetrics(await (await server.request("GET", "/metrics")).text());
    expect([samples.get('toolrack_jobs{state="waiting"}'), samples.get('toolrack_jobs{state="running"}')]).toEqual([2, 1]);
    expect(samples.get("toolrack_job_oldest_seconds")).toBeGreaterThan(0);
  });

  it("counts the leases that it lost and took", async () => {
    const database = join(temporaryFolder(), "shared.db");
    const [first, second] = [await start(database), await start(database)];
    await until(async () => (await seen(second, first)) !== undefined);
    const before = first.servers.name;
    await first.servers.lease.lost(before);
    expect(first.servers.name).not.toBe(before);
    // The name that nobody has any more is taken off the list.
    await until(async () => (second.servers.self().leases?.taken ?? 0) + (first.servers.self().leases?.taken ?? 0) === 1);
    await until(async () => (await seen(second, first))?.info.leases?.lost === 1);
    const { body } = await serverOver(second).ask("GET", "/status");
    expect(body.notes).toContainEqual(expect.stringMatching(`^The server ${first.servers.name.slice(-6)} .*lost its lease once`));
  });
});

describe("a source that is down", () => {
  it("has its reason beside toolrack_source_up, in short and without secrets", async () => {
    const secret = "planted-5f1b2c3d4e";
    const reason = `Answered 401 for ${secret}: ${"x".repeat(500)}\nA second line.`;
    const rack = await openTestRack({ config: { store: { memory: true }, sources: { away: nowhere } } });
    await rack.secrets.set("key", secret);
    await rack.secrets.get({ name: "key", tool: "t", callId: "c", caller: { agent: "owner", owner: true }, reason: "a test" });
    await rack.sources.ready();
    const [source] = rack.sources.list().filter(({ id }) => id === "away");
    const server = serverOver({ ...rack, sources: { ...rack.sources, list: () => [{ ...source!, error: reason }] } });
    const { samples } = readMetrics(await (await server.request("GET", "/metrics")).text());
    expect(samples.get('toolrack_source_up{source="mcp:away"}')).toBe(0);
    const [info] = [...samples.keys()].filter((key) => key.startsWith("toolrack_source_down_info"));
    expect(info).toMatch(/source="mcp:away",state="failed",reason="Answered 401 for \[redacted\]: x+…"/);
    expect(info).not.toContain("second line");
    expect(info!.length).toBeLessThan(300);
  });

  it("is down while it waits for approval, and is not counted when it is disabled", () => {
    const states = ["ready", "failed", "starting", "waiting-for-approval", "disabled"];
    const { down } = sourceFacts(
      states.map((state) => ({ id: state, state })),
      (text) => text,
    );
    expect(down.map(({ id }) => id)).toEqual(["failed", "starting", "waiting-for-approval"]);
  });
});

describe("what a server reports", () => {
  it("fits into its report, however many sources and pools it has, and counts them all", () => {
    const sources = Array.from({ length: 2_000 }, (_, index) => ({ id: `source-${index}`, state: "failed", error: "é".repeat(400) }));
    const own = createOwnFacts(0);
    own.describe("sources", () => sourceFacts(sources, (text) => text));
    const facts = own.read();
    expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(4_000);
    expect(facts.sources!.states).toEqual({ failed: 2_000 });
    expect(facts.sources!.down.length).toBeGreaterThan(3);
  });

  it("is read from servers of other versions as far as it has a known form", () => {
    expect(toServerInfo({ version: "9.0.0", sources: "many", pools: { a: 1 }, leases: 3 })).toEqual({ version: "9.0.0" });
    const pools = [
      { source: "a", workers: 1, slots: 2, running: 0 },
      { source: "b", broker: "asleep", workers: 1, slots: 2, running: 0 },
      7,
    ];
    expect(toServerInfo({ pools, sources: { states: { ready: 1, odd: "x" }, down: [{ id: 3 }] } })).toEqual({
      pools: [pools[0]],
      sources: { states: { ready: 1 }, down: [] },
    });
  });
});

describe("the problems of a cluster", () => {
  it("name a job that waits for long and a server that is silent, and nothing where all is well", () => {
    const silent: ReadServer = {
      name: "x-1-abcdef",
      isThis: false,
      status: "inactive",
      lastSeen: "2026-01-01T00:00:00.000Z",
      info: { host: "web-2" },
    };
    expect(clusterProblems({ servers: [silent], differences: [], oldestJobMs: 720_000 })).toEqual({
      problems: [expect.stringMatching(/^A job has been due for 12 minutes, .* toolrack jobs list/)],
      notes: [expect.stringMatching(/^The server abcdef \(host web-2\) has been silent since 2026/)],
    });
    const well: ReadServer = { name: "x-1-abcdef", isThis: true, status: "active", info: { sources: { states: { ready: 3 }, down: [] } } };
    expect(clusterProblems({ servers: [well], differences: [], oldestJobMs: 1_000 })).toEqual({ problems: [], notes: [] });
  });
});
