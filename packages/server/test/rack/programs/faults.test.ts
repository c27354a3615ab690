import { defineTool } from "@toolrack/core";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import type { WaitingApproval } from "../../../src/rack/approvals/approval.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await startPostgres()));
afterAll(() => postgres?.stop());

interface Setup {
  readonly paid: string[];
  /** The roles of whoever paid. */
  readonly roles?: (readonly string[] | undefined)[];
  readonly description?: string;
  readonly policy?: NonNullable<RackConfig["policy"]>;
  readonly folder: string;
  readonly database?: string;
  /** When another server takes this one to be gone. */
  readonly silentMs?: number;
}

function open({ paid, roles, description = "Pays a bill.", policy, folder, database, silentMs = 500 }: Setup): Promise<Rack> {
  return openTestRack({
    folder,
    ...(database !== undefined && { environment: { DATABASE_URL: database } }),
    tools: [
      defineTool({
        name: "pay",
        description,
        inputSchema: { type: "object", properties: { bill: { type: "string" } }, required: ["bill"] },
        handler: ({ bill }, { caller }) => {
          paid.push(bill);
          roles?.push(caller.roles);
          return { receipt: `R-${bill}` };
        },
      }),
    ],
    config: { tools: { packs: { programs: true } }, policy: { tools: { ask: ["pay"] }, ...policy } },
    leaseTimes: { beatMs: 50, silentMs },
  });
}

const code = "try { return (await tools.pay({ bill: 'B-1' })).receipt; } catch (e) { return [e.code, e.message]; }";

/** A program waits, and its server is gone. */
async function leave(setup: Setup, caller: object = { agent: "worker" }): Promise<WaitingApproval> {
  const rack = await open(setup);
  void rack.call("run_code", { code }, { caller });
  let asked: WaitingApproval | undefined;
  await until(async () => (asked = (await rack.approvals.list())[0]) !== undefined);
  await rack.close({ graceMs: 0 });
  return asked!;
}

async function ended(rack: Rack, { program }: WaitingApproval): Promise<unknown> {
  await until(async () => (await rack.programs.show(program!.id))?.status !== "waiting");
  const { status, outcome, error } = (await rack.programs.show(program!.id))!;
  return { status, ...(outcome && { value: outcome.value }), ...(error && { code: error.code }) };
}

describe("while a program waits and its server is gone", () => {
  it("a changed tool is not called with the old answer, and the program can catch that", async () => {
    const setup = { paid: [], folder: temporaryFolder() };
    const asked = await leave(setup);
    const rack = await open({ ...setup, description: "Pays a bill twice." });
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await ended(rack, asked)).toEqual({
      status: "ended",
      value: ["APPROVAL_DENIED", expect.stringContaining('"pay" changed')],
    });
    expect(setup.paid).toEqual([]);
  });

  it("a caller who lost the right to a tool is refused", async () => {
    const setup = { paid: [], folder: temporaryFolder() };
    const asked = await leave(setup);
    const rack = await open({ ...setup, policy: { tools: { deny: ["pay"] } } });
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await ended(rack, asked)).toEqual({ status: "ended", value: ["TOOL_NOT_ALLOWED", expect.any(String)] });
    expect(setup.paid).toEqual([]);
  });

  it("a caller who lost the right to programs gets no further", async () => {
    const setup = { paid: [], folder: temporaryFolder() };
    const asked = await leave(setup);
    const rack = await open({ ...setup, policy: { tools: { deny: ["run_code"], ask: ["pay"] } } });
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await ended(rack, asked)).toEqual({ status: "failed", code: "TOOL_NOT_ALLOWED" });
    expect(setup.paid).toEqual([]);
  });

  it("a caller whose key was revoked gets no further", async () => {
    const setup = { paid: [], folder: temporaryFolder() };
    const asked = await leave(setup, { agent: "worker", principal: "key worker" });
    const rack = await open(setup);
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await ended(rack, asked)).toEqual({ status: "failed", code: "TOOL_NOT_ALLOWED" });
    expect(setup.paid).toEqual([]);
  });

  it("AH10: an admin who acts as another agent goes on only as long as that is an admin", async () => {
    const acting = { agent: "worker", principal: "key root", acting: true };
    for (const [role, end] of [
      ["admin", { status: "ended", value: "R-B-1" }],
      ["emitter", { status: "failed", code: "TOOL_NOT_ALLOWED" }],
    ] as const) {
      const setup = { paid: [], folder: temporaryFolder() };
      const asked = await leave(setup, acting);
      const rack = await open(setup);
      await rack.keys.create({ agent: "root", roles: [role], by: "owner" });
      await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
      expect(await ended(rack, asked)).toEqual(end);
      expect(setup.paid).toEqual(role === "admin" ? ["B-1"] : []);
      if (role === "emitter")
        expect((await rack.programs.show(asked.program!.id))?.error?.message).toContain('"root" is not an admin any more');
    }
  });

  it("AH10: a caller goes on with the roles that are left", async () => {
    const setup = { paid: [], roles: [], folder: temporaryFolder() };
    const asked = await leave(setup, { agent: "worker", principal: "key worker", roles: ["curator", "emitter"] });
    const rack = await open(setup);
    await rack.keys.create({ agent: "worker", roles: ["emitter"], by: "owner" });
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await ended(rack, asked)).toEqual({ status: "ended", value: "R-B-1" });
    expect(setup.roles).toEqual([["emitter"]]);
  });

  it("a denial is told to the program", async () => {
    const setup = { paid: [], folder: temporaryFolder() };
    const asked = await leave(setup);
    const rack = await open(setup);
    await rack.approvals.decide(asked.id, { approved: false, reason: "Not today", by: "anna" });
    expect(await ended(rack, asked)).toEqual({ status: "ended", value: ["APPROVAL_DENIED", expect.stringContaining("Not today")] });
  });

  it("it can be cancelled, and its question is withdrawn", async () => {
    const setup = { paid: [], folder: temporaryFolder() };
    const asked = await leave(setup);
    const rack = await open(setup);
    expect(await rack.programs.cancel(asked.program!.id, "anna")).toBe(true);
    expect(await ended(rack, asked)).toEqual({ status: "cancelled", code: "ABORTED" });
    expect(await rack.approvals.list()).toEqual([]);
  });

  it("a state that was edited in the database is refused", async () => {
    const setup = { paid: [], folder: temporaryFolder() };
    const asked = await leave(setup);
    const editor = await openTestRack({ folder: setup.folder, config: { tools: { packs: { utility: false, sessions: false } } } });
    const programs = editor.store.as({ owner: "toolrack-programs", agent: "editor", roles: ["curator"] });
    const record = (await programs.get(asked.program!.id))!;
    const sealed = Buffer.from(String(record.context["sealed"]), "base64");
    sealed[sealed.length - 20]! ^= 1;
    await programs.put({ ...record, context: { ...record.context, sealed: sealed.toString("base64") } });
    await editor.close({ graceMs: 0 });
    const rack = await open(setup);
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await ended(rack, asked)).toEqual({ status: "failed", code: "OUTCOME_UNKNOWN" });
    expect(setup.paid).toEqual([]);
  });

  it.each(["SQLite", "PostgreSQL"] as const)("only one of two servers on %s goes on with it", async (kind) => {
    const folder = temporaryFolder();
    const database = kind === "SQLite" ? undefined : await createDatabase(postgres);
    const setup = { paid: [], folder, ...(database !== undefined && { database }) };
    const asked = await leave(setup);
    // Both live, however busy the machine is.
    const living = { ...setup, silentMs: 60_000 };
    const [one, two] = await Promise.all([open(living), open(living)]);
    await one.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await ended(one, asked)).toEqual({ status: "ended", value: "R-B-1" });
    expect(await ended(two, asked)).toEqual({ status: "ended", value: "R-B-1" });
    expect(setup.paid).toEqual(["B-1"]);
  });
});

it("a program cannot print a secret that a tool was given", async () => {
  const rack = await openTestRack({
    tools: [
      defineTool({
        name: "leaky",
        description: "Answers its secret.",
        inputSchema: { type: "object", properties: {} },
        metadata: { secrets: ["TOKEN"] },
        handler: async (_input, { secret }) => ({ answer: await secret("TOKEN") }),
      }),
    ],
    config: { store: { memory: true }, tools: { packs: { programs: true } } },
  });
  await rack.secrets.set("TOKEN", "hunter2-canary-value", { by: "test" } as never);
  const source = "const { answer } = await tools.leaky({}); console.log(answer); return [answer, answer.split('').reverse().join('')];";
  const result = await rack.call("run_code", { code: source }, { caller: { agent: "local", owner: true } }).result;
  expect(result.ok).toBe(true);
  expect(JSON.stringify(result)).not.toContain("hunter2");
  expect(JSON.stringify(result)).not.toContain([..."hunter2"].reverse().join(""));
  expect(JSON.stringify(await rack.calls.list())).not.toContain("hunter2-canary");
});

it("a program that waits shows no secret in its source or in the input of its calls", async () => {
  const caller = { agent: "local", owner: true };
  const nothing = { type: "object", properties: {} } as const;
  const rack = await openTestRack({
    tools: [
      defineTool({
        name: "sign_in",
        description: "Signs in.",
        inputSchema: nothing,
        metadata: { secrets: ["TOKEN"] },
        handler: async (_input, { secret }) => ({ length: (await secret("TOKEN"))?.length ?? 0 }),
      }),
      defineTool({
        name: "send",
        description: "Sends.",
        inputSchema: { type: "object", properties: { text: { type: "string" }, iban: { type: "string" } } },
        handler: () => "sent",
      }),
    ],
    config: {
      store: { memory: true },
      redaction: { fields: ["iban"] },
      tools: { packs: { programs: true } },
      policy: { tools: { ask: ["send"] } },
    },
  });
  await rack.secrets.set("TOKEN", "hunter2-canary-value", { by: "test" } as never);
  await rack.call("sign_in", {}, { caller }).result;
  const code = 'const token = "hunter2-canary-value"; return await tools.send({ text: token, iban: "DE" + "-canary" });';
  const running = rack.call("run_code", { code }, { caller });
  await until(async () => (await rack.approvals.list()).length > 0);
  const [asked] = await rack.approvals.list();
  const waiting = await rack.programs.show(asked!.program!.id);
  expect(waiting).toMatchObject({ status: "waiting", pending: [{ tool: "send" }] });
  expect(JSON.stringify(waiting)).not.toContain("canary-value");
  expect(JSON.stringify(waiting)).not.toContain("DE-canary");
  await rack.approvals.decide(asked!.id, { approved: true, by: "anna" });
  expect(await running.result).toMatchObject({ ok: true, data: { value: "sent" } });
  expect(JSON.stringify(await rack.programs.show(asked!.program!.id))).not.toContain("canary-value");
});
