import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, type ToolResult } from "@toolrack/core";
import { listAudit, verifyAudit } from "@toolrack/store";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenRackOptions } from "../../src/rack/open.ts";
import type { Rack } from "../../src/rack/rack.ts";
import { startPostgres, type TestPostgres } from "../../../store/test/postgres.ts";
import { open, temporaryFolder, until } from "./_open.ts";
import { bundleProgram, type Program, removeProgram, startProgram } from "./_program.ts";

let server: TestPostgres;
let pausing: string;
let count = 0;

beforeAll(async () => {
  [server, pausing] = await Promise.all([startPostgres(), bundleProgram("pausing")]);
}, 120_000);
afterAll(async () => {
  removeProgram(pausing);
  await server?.stop();
});

/** A place of its own for each test, which several servers can open. */
async function freshStore(kind: "SQLite" | "PostgreSQL"): Promise<Pick<OpenRackOptions, "folder" | "environment">> {
  const folder = temporaryFolder();
  if (kind === "SQLite") return { folder, environment: {} };
  const name = `toolrack_lease_${process.pid}_${Date.now().toString(36)}_${count++}`;
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server.connectionString);
  url.pathname = `/${name}`;
  return { folder, environment: { DATABASE_URL: url.href } };
}

const leaseTimes = { beatMs: 100, silentMs: 1_500 };
const caller = { agent: "worker" };

interface Both {
  /** A server in a process of its own. */
  readonly other: Program;
  readonly here: Rack;
  /** The calls that ran, on both. */
  ran(): readonly string[];
  answers(): readonly ToolResult[];
}

/** Two servers on one store, with a tool that must not run twice. */
async function openBoth(kind: "SQLite" | "PostgreSQL", more: Pick<OpenRackOptions, "clock"> = {}): Promise<Both> {
  const options = { ...(await freshStore(kind)), config: { policy: { unknownAgents: "allow" as const } }, leaseTimes };
  const runs = join(options.folder!, "runs.txt");
  writeFileSync(runs, "");
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    inputSchema: { type: "object" },
    handler: (_input, { callId }) => {
      writeFileSync(runs, `${callId}\n`, { flag: "a" });
      return "paid";
    },
  });
  const other = startProgram(pausing, JSON.stringify(options), runs);
  await until(() => other.lines.length === 1, "The other server did not start.");
  const here = await open({ ...options, ...more, tools: [pay] });
  return {
    other,
    here,
    ran: () => readFileSync(runs, "utf8").split("\n").filter(Boolean),
    answers: () => (other.lines as { answer?: ToolResult }[]).flatMap(({ answer }) => answer ?? []),
  };
}

/** The lines that the audit has of a call. */
async function endsOf(rack: Rack, callId: string): Promise<readonly (string | boolean | undefined)[]> {
  const lines = await listAudit(rack.store, { kinds: ["call"] });
  return lines.filter((line) => line.callId === callId).map(({ ok, code }) => code ?? ok);
}

describe.each(["SQLite", "PostgreSQL"] as const)("a server on %s that is paused for longer than its lease", (kind) => {
  it("OP1: leaves each of its calls one end, and answers with that", async () => {
    const { other, here, ran, answers } = await openBoth(kind);
    other.tell({ call: "pay" });
    await until(() => ran().length === 1);
    process.kill(other.pid, "SIGSTOP");
    const [callId] = ran();
    await until(async () => (await here.calls.show(callId!)) !== undefined, "The call was not given up.");
    other.tell({ release: true });
    process.kill(other.pid, "SIGCONT");
    await until(() => answers().length === 1);
    expect(answers()[0]).toMatchObject({ ok: false, code: "ABORTED", error: (await here.calls.show(callId!))!.error!.message });
    expect(await endsOf(here, callId!)).toEqual(["ABORTED"]);
    // It goes on under another name.
    other.tell({ call: "pay" });
    await until(() => answers().length === 2);
    expect(answers()[1]).toMatchObject({ ok: true, content: "paid" });
    expect(await endsOf(here, answers()[1]!.meta.callId)).toEqual([true]);
    expect((await here.servers.list()).map(({ name }) => name)).not.toContain((other.lines[0] as { ready: string }).ready);
    expect(await verifyAudit(here.store)).toMatchObject({ ok: true });
  }, 60_000);

  it("OP2: runs no key twice, and both callers are told that the outcome is not known", async () => {
    const { other, here, ran, answers } = await openBoth(kind);
    other.tell({ call: "pay", key: "order-1" });
    await until(() => ran().length === 1);
    process.kill(other.pid, "SIGSTOP");
    const repeated = await here.call("pay", {}, { caller, idempotencyKey: "order-1" }).result;
    other.tell({ release: true });
    process.kill(other.pid, "SIGCONT");
    await until(() => answers().length === 1);
    expect(repeated).toMatchObject({ ok: false, code: "OUTCOME_UNKNOWN", status: 409, retryable: false });
    expect(answers()[0]).toMatchObject({ ok: false, code: "ABORTED" });
    expect(ran()).toHaveLength(1);
    expect(await endsOf(here, ran()[0]!)).toEqual(["ABORTED"]);
    expect(await here.call("pay", {}, { caller, idempotencyKey: "order-1" }).result).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(await here.call("pay", {}, { caller, idempotencyKey: "order-2" }).result).toMatchObject({ ok: true });
  }, 60_000);
});
