import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool, type ToolResult } from "@toolrack/core";
import { systemClock } from "@toolrack/core/node";
import { addToAudit, createPresence, listAudit, verifyAudit } from "@toolrack/store";
import { bundleProgram, type ChildServer, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenRackOptions } from "../../../src/rack/open.ts";
import type { Rack } from "../../../src/rack/rack.ts";

let server: TestPostgres;
let pausing: string;

beforeAll(async () => {
  [server, pausing] = await Promise.all([startPostgres(), bundleProgram(new URL("../programs/pausing.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(pausing);
  await server?.stop();
});

/** A place of its own for each test, which several servers can open. */
async function freshStore(kind: "SQLite" | "PostgreSQL"): Promise<Pick<OpenRackOptions, "folder" | "environment">> {
  const folder = temporaryFolder();
  if (kind === "SQLite") return { folder, environment: {} };
  return { folder, environment: { DATABASE_URL: await createDatabase(server) } };
}

const leaseTimes = { beatMs: 100, silentMs: 2_000 };
const caller = { agent: "worker" };

interface Both {
  /** A server in a process of its own. */
  readonly other: ChildServer;
  readonly here: Rack;
  /** The calls that ran, on both. */
  ran(): readonly string[];
  answers(): readonly ToolResult[];
}

/** Two servers on one store, with a tool that must not run twice. */
async function openBoth(kind: "SQLite" | "PostgreSQL", more: Pick<OpenRackOptions, "clock"> = {}): Promise<Both> {
  const options = {
    ...(await freshStore(kind)),
    config: { policy: { unknownAgents: "allow" as const, tools: { ask: ["ask_first"] } } },
    leaseTimes,
  };
  const runs = join(options.folder!, "runs.txt");
  writeFileSync(runs, "");
  const tool = (name: string, readOnly: boolean) =>
    defineTool({
      name,
      description: "Ends at once.",
      inputSchema: { type: "object" },
      metadata: { annotations: { readOnly } },
      handler: (_input, { callId }) => {
        writeFileSync(runs, `${callId}\n`, { flag: "a" });
        return "paid";
      },
    });
  const other = startProgram(pausing, JSON.stringify(options), runs);
  await until(() => other.lines.length === 1, "The other server did not start.");
  const here = await openTestRack({ ...options, ...more, tools: [tool("pay", false), tool("look", true), tool("ask_first", false)] });
  return {
    other,
    here,
    ran: () => readFileSync(runs, "utf8").split("\n").filter(Boolean),
    answers: () => (other.lines as { answer?: ToolResult }[]).flatMap(({ answer }) => answer ?? []),
  };
}

/** Stops the other server where it holds no lock, which would keep everybody from writing for as long. */
async function pause(other: ChildServer, here: Rack): Promise<void> {
  const presence = createPresence(here.store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] }));
  const { ready } = other.lines[0] as { ready: string };
  for (;;) {
    process.kill(other.pid, "SIGSTOP");
    const writing = Promise.all([addToAudit(here.store, [{ kind: "note", subject: "pause", body: 0 }]), presence.renew(ready)]);
    const isFree = writing.then(
      () => true,
      () => false,
    );
    if (await Promise.race([isFree, sleep(2_000, false)])) return;
    process.kill(other.pid, "SIGCONT");
    await isFree;
  }
}

/** The lines that the audit has of a call. */
async function endsOf(rack: Rack, callId: string): Promise<readonly (string | boolean | null)[]> {
  const lines = await listAudit(rack.store, { kinds: ["call"] });
  return lines.filter((line) => line.callId === callId).map(({ ok, code }) => code ?? ok);
}

const stores = ["SQLite", "PostgreSQL"] as const;

// The short form has each of these on one of the stores.
describe.each(stores.slice(sized(1, 0)))("a server on %s that is paused for longer than its lease", (kind) => {
  it("OP1: leaves each of its calls one end, and answers with that", async () => {
    const { other, here, ran, answers } = await openBoth(kind);
    other.tell({ call: "pay" });
    await until(() => ran().length === 1);
    await pause(other, here);
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
  });

  it("OP2: runs no key twice, and both callers are told that the outcome is not known", async () => {
    const { other, here, ran, answers } = await openBoth(kind);
    other.tell({ call: "pay", key: "order-1" });
    await until(() => ran().length === 1);
    await pause(other, here);
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
  });
});

describe.each(stores.slice(0, sized(1, 2)))("a server on %s that is paused for longer than its lease", (kind) => {
  it("OP1: cancels calls that have an end on record, also when it writes nothing", async () => {
    const { other, here, ran, answers } = await openBoth(kind);
    other.tell({ call: "pay" });
    await until(() => ran().length === 1);
    await pause(other, here);
    await until(async () => (await here.calls.show(ran()[0]!)) !== undefined, "The call was not given up.");
    process.kill(other.pid, "SIGCONT");
    await until(() => answers().length === 1, "The call was not cancelled.");
    expect(answers()[0]).toMatchObject({ ok: false, code: "ABORTED", error: expect.stringContaining("longer than its lease") as string });
    expect(await endsOf(here, ran()[0]!)).toEqual(["ABORTED"]);
  });

  it("OP1: leaves one end to a call that waited for a person as well", async () => {
    const { other, here, ran, answers } = await openBoth(kind);
    other.tell({ call: "ask_first" });
    await until(async () => (await here.approvals.list()).length === 1);
    const { callId } = (await here.approvals.list())[0]!;
    await pause(other, here);
    await until(async () => (await here.calls.show(callId)) !== undefined, "The call was not given up.");
    process.kill(other.pid, "SIGCONT");
    await until(() => answers().length === 1);
    expect(answers()[0]).toMatchObject({ ok: false, code: "ABORTED", error: expect.stringContaining("did not run") as string });
    expect(await endsOf(here, callId)).toEqual(["ABORTED"]);
    expect(ran()).toEqual([]);
  });
});

describe("a server that is killed in the middle of a call with an idempotency key", () => {
  it("OP2: leaves a key that does not run again, unless the tool changes nothing", async () => {
    const { other, here, ran } = await openBoth("SQLite");
    other.tell({ call: "pay", key: "order-1" });
    other.tell({ call: "look", key: "order-1" });
    await until(() => ran().length === 2);
    await other.end("SIGKILL");
    const repeat = (name: string) => here.call(name, {}, { caller, idempotencyKey: "order-1" }).result;
    expect(await repeat("pay")).toMatchObject({
      ok: false,
      code: "OUTCOME_UNKNOWN",
      error: expect.stringContaining("use a new key") as string,
    });
    expect(ran()).toHaveLength(2);
    expect(await repeat("look")).toMatchObject({ ok: true, content: "paid" });
    expect(ran()).toHaveLength(3);
    expect(await here.call("pay", {}, { caller, idempotencyKey: "order-2" }).result).toMatchObject({ ok: true });
  });
});

describe.each([3, -3])("a server whose clock is %i hours off", (hours) => {
  it("OP3: takes neither keys nor leases of servers that are alive", async () => {
    const clock = { now: () => Date.now() + hours * 3_600_000, after: systemClock.after };
    const { other, here, ran, answers } = await openBoth("SQLite", { clock });
    other.tell({ call: "pay", key: "order-1" });
    await until(() => ran().length === 1);
    const repeated = here.call("pay", {}, { caller, idempotencyKey: "order-1" }).result;
    // Both have said that they are alive for longer than a lease lasts without that.
    const beats = new Map<string, Set<string>>();
    await until(async () => {
      for (const { name, lastSeen } of await here.servers.list()) beats.set(name, (beats.get(name) ?? new Set()).add(lastSeen));
      return [...beats.values()].filter((times) => times.size > (1.5 * leaseTimes.silentMs) / leaseTimes.beatMs).length === 2;
    });
    expect(beats.size).toBe(2);
    other.tell({ release: true });
    await until(() => answers().length === 1);
    expect(answers()[0]).toMatchObject({ ok: true, content: "paid" });
    expect(await repeated).toEqual(answers()[0]);
    expect(ran()).toHaveLength(1);
    expect(await endsOf(here, ran()[0]!)).toEqual([true]);
  });
});
