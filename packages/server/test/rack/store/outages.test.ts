import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutage } from "../../../src/rack/util/outage.ts";
import { watchStore } from "../../../src/rack/store/store-watch.ts";
import { keepLog } from "../../telemetry/log/lines.ts";
import { readMetrics } from "../../telemetry/prometheus.ts";

describe("something that fails", () => {
  it("OU1: is told once, and once that it works again, with how long it was away", () => {
    const { log, lines } = keepLog();
    const outage = createOutage({ log, failed: "It failed.", worked: "It works again.", fields: { source: "a" } });
    outage.worked();
    for (let time = 0; time < 10; time++) outage.failed(new Error("no", { cause: new Error("port 5432 is closed") }));
    outage.worked();
    outage.worked();
    outage.failed("again");
    expect(lines()).toMatchObject([
      { level: "warn", message: "It failed.", source: "a", error: "no", reason: "port 5432 is closed" },
      { level: "info", message: "It works again.", source: "a", awayMs: expect.any(Number) as number },
      { level: "warn", message: "It failed.", error: "again" },
    ]);
    expect([outage.isUp, outage.count]).toEqual([false, 2]);
  });

  it("OU1: a store is tried until it can be written to, and not while it works", async () => {
    const { log, lines } = keepLog();
    const watch = watchStore(log, 1);
    let tries = 0;
    watch.tryWith(async () => {
      if (++tries < 5) throw new Error("still away");
    });
    watch.notice(new Error("something else"));
    watch.notice(new StoreError("QUERY_INVALID", "A mistake in a query."));
    expect(watch.isUp).toBe(true);
    for (let time = 0; time < 3; time++) watch.notice(new StoreError("STORE_UNAVAILABLE", "away"));
    expect(watch.isUp).toBe(false);
    await until(() => watch.isUp);
    expect(tries).toBe(5);
    expect(lines().map(({ level, message }) => [level, message])).toEqual([
      ["error", "The store failed."],
      ["info", "The store works again."],
    ]);
    watch.close();
    watch.failed(new Error("closed by now"));
    expect(lines()).toHaveLength(2);
  });
});

describe("a source", () => {
  it("OU2: that goes away and comes back is two lines", async () => {
    const folder = temporaryFolder();
    const isThere = join(folder, "there");
    const program = join(folder, "flaky.mjs");
    writeFileSync(program, flaky);
    writeFileSync(isThere, "");
    const kept = keepLog();
    const sources = { flaky: { command: process.execPath, args: [program, isThere] } };
    const rack = await openTestRack({ folder, log: kept.log, config: { store: { memory: true }, sources } });
    await rack.sources.ready();
    const told = (): readonly unknown[] => kept.lines().filter(({ source }) => source === "flaky");
    expect(told()).toEqual([]);
    rmSync(isThere);
    await rack.registry.invoke("flaky__quit", {});
    await until(() => told().length === 1);
    expect(told()).toMatchObject([{ level: "warn", message: "A source failed.", error: expect.stringContaining("flaky") as string }]);
    await rack.sources.refresh("flaky");
    expect(told()).toHaveLength(1);
    writeFileSync(isThere, "");
    await until(async () => {
      await rack.sources.refresh("flaky");
      return told().length > 1;
    });
    expect(told()).toMatchObject([
      { message: "A source failed." },
      { level: "info", message: "A source works again.", awayMs: expect.any(Number) as number },
    ]);
  });
});

/** An MCP server that ends when it is told to, and does not begin without a file. */
const flaky = `
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
if (!existsSync(process.argv[2])) process.exit(1);
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "flaky", version: "1.0.0" } }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [{ name: "quit", description: "Ends the server.", inputSchema: { type: "object" } }] }),
  "tools/call": () => process.exit(1),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const body = Object.hasOwn(answers, method) ? { result: answers[method](params ?? {}) } : { error: { code: -32601, message: "unknown" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
});
`;

describe("a PostgreSQL that is started again", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  it("OU3: is two lines and one outage, and metrics are written all the while", async ({ skip }) => {
    if (postgres.restart === undefined) skip("DATABASE_URL names a server that is not ours to restart");
    const { log, lines } = keepLog();
    await using server = await openTestServer({
      config: { store: {} },
      rack: { log, environment: { DATABASE_URL: postgres.connectionString } },
    });
    const scrape = async (): Promise<ReadonlyMap<string, number>> => {
      const answer = await server.request("GET", "/metrics");
      expect(answer.status).toBe(200);
      return readMetrics(await answer.text()).samples;
    };
    const before = await scrape();
    expect([before.get("toolrack_store_up"), before.get("toolrack_store_connections_max")]).toEqual([1, 10]);
    expect(before.get("toolrack_store_query_duration_seconds_count")).toBeGreaterThan(0);
    const told = (): readonly string[] => lines().flatMap(({ message }) => (message.startsWith("The store") ? [message] : []));
    let isBack = false;
    const restarting = postgres.restart!("SIGQUIT").then(() => (isBack = true));
    while (!isBack && told().length === 0) await server.request("GET", "/api/v1/breadcrumbs");
    const away = await scrape();
    expect(away.get("toolrack_store_up")).toBe(0);
    expect(away.get("toolrack_feed_lag_seconds")).toBeGreaterThan(0);
    await restarting;
    await until(() => told().length > 1);
    expect(told()).toEqual(["The store failed.", "The store works again."]);
    const samples = await scrape();
    expect([samples.get("toolrack_store_up"), samples.get("toolrack_store_outages_total")]).toEqual([1, 1]);
  });
});
