import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { hasPart } from "@toolrack/core/testing";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { OpenRackOptions } from "../../../src/rack/open.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { serve } from "../../../src/serve.ts";
import { type Answered, callOver, callOverMcp, type Counting, createCounting, expectAllRecorded } from "../_counting.ts";

let postgres: TestPostgres;
let keeping: string;
beforeAll(async () => {
  postgres = await startPostgres();
  keeping = await bundleProgram(new URL("../programs/keeping.ts", import.meta.url));
});
afterAll(async () => {
  await postgres.stop();
  removeProgram(keeping);
});

interface Served extends Counting {
  readonly rack: Rack;
  readonly url: string;
  call(input?: object): Promise<Answered>;
  several(count: number, input?: object): Promise<readonly Answered[]>;
}

async function serveCounting(options: OpenRackOptions & { readonly config: RackConfig }): Promise<Served> {
  const counting = createCounting();
  const outer = defineTool({
    name: "outer",
    description: "Calls another tool, which waits.",
    inputSchema: { type: "object", properties: {} },
    handler: (_, context) => context.call("work", { waits: true }),
  });
  const rack = await openTestRack({ ...options, tools: [counting.tool, outer] });
  const { url, close } = await serve(rack, { port: 0, consoleFolder: false });
  afterThisTest(() => close({ graceMs: 0 }));
  const call = (input?: object): Promise<Answered> => callOver(url, rack.ownerToken.text, input);
  return { ...counting, rack, url, call, several: (count, input) => Promise.all(Array.from({ length: count }, () => call(input))) };
}

const errors = (): { readonly log: OpenRackOptions["log"]; readonly lines: string[] } => {
  const lines: string[] = [];
  const quiet = (): void => undefined;
  return { log: { debug: quiet, info: quiet, warn: quiet, error: (message) => void lines.push(message) }, lines };
};

describe("a server whose PostgreSQL goes away", () => {
  const isOurs = (): boolean => hasPart("a PostgreSQL of the tests", postgres.faults !== undefined);

  it.each(["SIGINT", "SIGKILL"] as const)(
    "RC1: runs no call that it cannot record, and records every call that ran, once: %s",
    async (signal) => {
      if (!isOurs()) return;
      const { end, start } = postgres.faults!;
      const { rack, ran, url, release, call, several } = await serveCounting({
        folder: temporaryFolder(),
        environment: { DATABASE_URL: postgres.connectionString },
        config: {},
      });
      const answers = [...(await several(5))];
      const withKey = callOver(url, rack.ownerToken.text, { waits: true }, { "idempotency-key": "before" });
      const waiting = Promise.all([withKey, call({ waits: true }), call({ waits: true }), call({ waits: true })]);
      await until(() => ran.size === 9, "The calls did not start.");

      await end(signal);
      const refused = [...(await several(10)), await call(), await call()];
      for (const { status, code, retryAfter, text } of refused) {
        expect([status, code, retryAfter]).toEqual([503, "CALL_NOT_RECORDED", "1"]);
        expect(text).toContain('so tool \\"work\\" did not run.');
        expect(text).toContain('"retryable":true');
        expect(text).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i);
      }
      const keyed = (name: string, input?: object): Promise<Answered> =>
        callOver(url, rack.ownerToken.text, input, { "idempotency-key": name });
      const early = await keyed("during");
      expect([early.status, early.retryAfter, early.code]).toEqual([503, "1", "STORE_UNAVAILABLE"]);
      expect(early.text).not.toMatch(/127\.0\.0\.1|ECONN/);
      const mcp = await callOverMcp(url, rack.ownerToken.text);
      expect(mcp).toMatchObject({ isError: true, _meta: { "toolrack/code": "CALL_NOT_RECORDED", "toolrack/retryable": true } });
      expect(ran.size).toBe(9);
      release();
      const late = await waiting;
      expect(late.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(rack.recording.counts).toMatchObject({ refused: 13, kept: 4, unrecorded: 0, dropped: 0 });
      expect(rack.running.list()).toEqual([]);
      expect(rack.calls.open()).toEqual([]);
      expect(await rack.calls.show(late[0]!.callId)).toMatchObject({ ok: true, tool: "work" });

      await start();
      const again = async (): Promise<boolean> => answers.push(await call()) > 0 && answers.at(-1)!.status === 200;
      await until(again, "Calls are not recorded again.");
      answers.push(...late, ...(await several(5)));
      await expectAllRecorded(rack, ran, answers);
      await rack.close({ graceMs: 0 });
      await cleanCalls();
    },
  );

  /** The next test begins with an empty log. */
  async function cleanCalls(): Promise<void> {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: postgres.connectionString });
    await client.connect();
    await client.query("drop schema toolrack cascade");
    await client.end();
  }

  it("RC1: that is killed while it keeps ends leaves them to the next start: each call has its true end, and one alone", async () => {
    if (!isOurs()) return;
    const { end, start } = postgres.faults!;
    const folder = temporaryFolder();
    const server = startProgram(keeping, folder, postgres.connectionString);
    const lines = server.lines as readonly { readonly ran?: string; readonly done?: string; readonly ok?: boolean; warnings?: string[] }[];
    const ran = (): string[] => lines.flatMap((line) => line.ran ?? []);
    const done = (): string[] => lines.flatMap((line) => line.done ?? []);
    await until(() => ran().length === 12, "The calls did not start.");
    await end("SIGKILL");
    server.tell("end");
    await until(() => done().length === 9, "The calls did not end.");
    expect(lines.filter((line) => line.done !== undefined)).toMatchObject(Array.from({ length: 9 }, () => ({ ok: true, warnings: [] })));
    const ends = join(
      folder,
      ".toolrack",
      readdirSync(join(folder, ".toolrack")).find((name) => name.startsWith("call-ends-"))!,
    );
    expect(readdirSync(ends)).toHaveLength(1);
    expect(statSync(join(ends, readdirSync(ends)[0]!)).mode & 0o777).toBe(0o600);
    await server.end("SIGKILL");
    await start();

    const rack = await openTestRack({ folder, environment: { DATABASE_URL: postgres.connectionString }, config: {} });
    const stored = await rack.calls.list({ limit: 1_000 });
    expect(stored.map(({ callId }) => callId).sort()).toEqual(ran().sort());
    for (const { callId, ok, code } of stored)
      expect([callId, ok, code]).toEqual(done().includes(callId) ? [callId, true, undefined] : [callId, false, "ABORTED"]);
    expect(await rack.calls.running()).toEqual([]);
    expect(readdirSync(ends)).toEqual([]);
    await rack.close();
    await cleanCalls();
  });

  it("RC1: may be told to run calls all the same: they are counted, logged, and the audit says how many", async () => {
    if (!isOurs()) return;
    const { end, start } = postgres.faults!;
    const { log, lines } = errors();
    const { rack, ran, call, several } = await serveCounting({
      folder: temporaryFolder(),
      environment: { DATABASE_URL: postgres.connectionString },
      config: { audit: { onFailure: "warn" } },
      log,
    });
    await call();
    await end("SIGINT");
    const during = await several(3);
    expect(during.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(ran.size).toBe(4);
    expect(rack.recording.counts).toMatchObject({ refused: 0, unrecorded: 3, kept: 3 });
    expect(lines.filter((line) => line.startsWith("Calls run although"))).toHaveLength(1);
    await start();
    await until(() => rack.recording.counts.kept === 0, "The ends were not written.");
    await call();
    await until(async () => (await rack.calls.list({ limit: 100 })).length === 5, "Calls are missing.");
    await until(async () => (await rack.recording.missing()).unrecorded === 3, "The audit does not say what it lacks.");
    await rack.close({ graceMs: 0 });
    await cleanCalls();
  });
});

/** A file system of four megabytes; undefined where this user may not mount one. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  afterThisTest(() => execFileSync("umount", ["-l", folder]));
  return folder;
}

describe("a server whose SQLite file lies on a full disk", () => {
  it("RC1: runs no call that it cannot record, and records every call that ran, once", async () => {
    const folder = smallDisk();
    if (!hasPart("the right to mount a file system", folder !== undefined)) return;
    const { rack, ran, release, several } = await serveCounting({ folder: folder!, config: {} });
    const load = "x".repeat(8_000);
    const answers = [...(await several(5, { load }))];
    const waiting = several(4, { waits: true, load });
    await until(() => ran.size === 9, "The calls did not start.");

    const filler = join(folder!, "filler");
    for (let size = 1 << 20; size >= 512; size = size >> 1)
      for (let more = true; more;)
        try {
          writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
        } catch {
          more = false;
        }
    for (let round = 0; round < 40; round++) answers.push(...(await several(3, { load })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, code, text } of refused) {
      expect([status, code]).toEqual([503, "CALL_NOT_RECORDED"]);
      expect(text).not.toContain(folder);
    }
    release();
    answers.push(...(await waiting));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(ran.size);

    rmSync(filler);
    answers.push(...(await several(5, { load })));
    await expectAllRecorded(rack, ran, answers);
  });
});

describe("a server whose SQLite file another process keeps locked", () => {
  it("RC1: lists no call as running that has ended, and does not call an audit complete that lacks its end", async () => {
    const folder = temporaryFolder();
    const { rack, ran, url, release, call } = await serveCounting({ folder, config: {} });
    const get = async (path: string): Promise<unknown> =>
      (await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${rack.ownerToken.text}` } })).json();
    const nested = rack.call("outer", {}, { caller: { agent: "ada" } });
    await until(() => ran.size === 1, "The call did not start.");
    const other = await openTestRack({ folder, config: {} });
    const tools = async (one: Rack): Promise<readonly string[]> => (await one.running.listAll()).map(({ tool }) => tool).sort();
    for (const one of [rack, other]) expect(await tools(one)).toEqual(["outer", "work"]);

    const database = lock(join(folder, ".toolrack", "toolrack.db"));
    release();
    expect(await nested.result).toMatchObject({ ok: true });
    expect(rack.recording.counts.kept).toBe(2);
    expect(await tools(rack)).toEqual([]);
    expect(await get("/running")).toEqual({ calls: [] });
    expect(await rack.running.find(nested.callId)).toMatchObject({ isRunning: false });
    expect(await rack.running.waitFor(nested.callId, { timeoutMs: 1_000 })).toMatchObject({ ok: true });
    expect(await get("/audit/verification")).toMatchObject({ ok: true, missing: { kept: 2, unrecorded: 0 } });
    database.exec("rollback");
    database.close();
    await until(() => rack.recording.counts.kept === 0, "The ends were not written.");
    expect(await get("/audit/verification")).toMatchObject({ ok: true, missing: { kept: 0, unrecorded: 0 } });
    for (const one of [rack, other]) expect(await tools(one)).toEqual([]);
    expect((await call()).status).toBe(200);
    expect((await rack.calls.list()).map(({ tool }) => tool)).toEqual(["work", "outer", "work"]);
  });

  interface Database {
    exec(sql: string): void;
    close(): void;
  }

  function lock(file: string): Database {
    const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as { DatabaseSync: new (file: string) => Database };
    const database = new DatabaseSync(file);
    database.exec("begin immediate");
    return database;
  }
});

it("RC1: the check of the audit says how many calls ran unrecorded, also those of other servers; from a known end on, those since then", async () => {
  const { rack, url } = await serveCounting({ config: { store: { memory: true } } });
  const check = async (
    query = "",
  ): Promise<{ readonly last: { readonly number: number; readonly hash: string }; readonly missing: unknown }> =>
    (
      await fetch(`${url}/api/v1/audit/verification${query}`, { headers: { authorization: `Bearer ${rack.ownerToken.text}` } })
    ).json() as never;
  await rack.audit({ kind: "calls-unrecorded", subject: "another", by: "server", body: { unrecorded: 2, dropped: 1, from: 1, to: 2 } });
  const { last, missing } = await check();
  expect(missing).toEqual({ kept: 0, unrecorded: 3 });
  expect(await check(`?sinceNumber=${last.number}&sinceHash=${last.hash}`)).toMatchObject({ missing: { kept: 0, unrecorded: 0 } });
});
