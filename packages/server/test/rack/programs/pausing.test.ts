import { defineTool, type ToolResult } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import type { WaitingApproval } from "../../../src/rack/approvals/approval.ts";

const caller = { agent: "local", owner: true };
const policy = { tools: { ask: ["pay"] } };

function tools(paid: string[]) {
  return [
    defineTool({
      name: "pay",
      description: "Pays a bill.",
      inputSchema: { type: "object", properties: { bill: { type: "string" } }, required: ["bill"] },
      handler: ({ bill }) => {
        paid.push(bill);
        return { receipt: `R-${bill}` };
      },
    }),
    defineTool({
      name: "find_bill",
      description: "Finds a bill.",
      inputSchema: { type: "object", properties: {} },
      metadata: { annotations: { readOnly: true } },
      handler: () => ({ bill: "B-1" }),
    }),
  ];
}

async function open(folder: string, paid: string[], more: object = {}): Promise<Rack> {
  return openTestRack({
    folder,
    tools: tools(paid),
    config: { store: { sqlite: "store.db" }, tools: { packs: { programs: true } }, policy: { ...policy }, ...more } as never,
    leaseTimes: { beatMs: 50, silentMs: 500 },
  });
}

function run(rack: Rack, code: string): { readonly callId: string; readonly result: Promise<ToolResult> } {
  return rack.call("run_code", { code }, { caller });
}

async function question(rack: Rack): Promise<WaitingApproval> {
  let found: WaitingApproval | undefined;
  await until(async () => (found = (await rack.approvals.list())[0]) !== undefined);
  return found!;
}

const source = `const { bill } = await tools.find_bill({});
const paid = await tools.pay({ bill });
return [bill, paid.receipt];`;

describe("a program that waits for a person", () => {
  it("is stored with the question, which shows the program and its line, and goes on with the answer", async () => {
    const paid: string[] = [];
    const rack = await open(temporaryFolder(), paid);
    const call = run(rack, source);
    const asked = await question(rack);
    expect(asked).toMatchObject({ tool: "pay", program: { line: 2, text: "const paid = await tools.pay({ bill });" } });
    const [stored] = await rack.programs.list();
    expect(stored).toMatchObject({ id: asked.program?.id, status: "waiting", tool: "run_code", line: 2, callId: call.callId });
    expect(await rack.programs.show(stored!.id)).toMatchObject({
      source,
      pending: [{ tool: "pay", input: { bill: "B-1" }, line: 2, approval: asked.id }],
    });
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await call.result).toMatchObject({ ok: true, data: { value: ["B-1", "R-B-1"] } });
    expect(await rack.programs.show(stored!.id)).toMatchObject({ status: "ended", outcome: { value: ["B-1", "R-B-1"] }, pending: [] });
    expect(paid).toEqual(["B-1"]);
  });

  it("catches a denial", async () => {
    const paid: string[] = [];
    const rack = await open(temporaryFolder(), paid);
    const call = run(rack, "try { await tools.pay({ bill: 'x' }); } catch (e) { return e.code; }");
    await rack.approvals.decide((await question(rack)).id, { approved: false, by: "anna" });
    expect(await call.result).toMatchObject({ ok: true, data: { value: "APPROVAL_DENIED" } });
    expect(paid).toEqual([]);
  });

  it("goes on after its server stopped, when the answer comes", async () => {
    const folder = temporaryFolder();
    const paid: string[] = [];
    const first = await open(folder, paid);
    const call = run(first, source);
    const asked = await question(first);
    await first.close({ graceMs: 0 });
    expect(await call.result).toMatchObject({ ok: false, code: "ABORTED" });
    const second = await open(folder, paid);
    expect(await second.programs.list()).toMatchObject([{ id: asked.program?.id, status: "waiting" }]);
    expect(await question(second)).toMatchObject({ id: asked.id, program: { line: 2 } });
    await second.approvals.decide(asked.id, { approved: true, by: "anna" });
    await until(async () => (await second.programs.show(asked.program!.id))?.status !== "waiting");
    expect(await second.programs.show(asked.program!.id)).toMatchObject({ status: "ended", outcome: { value: ["B-1", "R-B-1"] } });
    expect(paid).toEqual(["B-1"]);
    // The call that ran it first was aborted with its server; the one that went on is in the log, too.
    const ends = async (): Promise<readonly boolean[]> => (await second.calls.list({ tool: "run_code" })).map(({ ok }) => ok);
    await until(async () => (await ends()).length === 2);
    expect(await ends()).toEqual([true, false]);
  });

  it("is cancelled with its call, and from outside", async () => {
    const paid: string[] = [];
    const rack = await open(temporaryFolder(), paid);
    const call = run(rack, source);
    const { program } = await question(rack);
    expect(await rack.programs.cancel(program!.id, "anna")).toBe(true);
    expect(await call.result).toMatchObject({ ok: false, code: "ABORTED" });
    await until(async () => (await rack.programs.show(program!.id))?.status === "cancelled");
    expect(await rack.approvals.list()).toEqual([]);
    expect(await rack.programs.cancel(program!.id, "anna")).toBe(false);
  });

  it("keeps several questions at once", async () => {
    const paid: string[] = [];
    const rack = await open(temporaryFolder(), paid);
    const call = run(rack, "return await Promise.all(['a', 'b', 'c'].map((bill) => tools.pay({ bill })));");
    await until(async () => (await rack.approvals.list()).length === 3);
    for (const { id } of await rack.approvals.list()) await rack.approvals.decide(id, { approved: true, by: "anna" });
    expect(await call.result).toMatchObject({ ok: true, data: { value: [{ receipt: "R-a" }, { receipt: "R-b" }, { receipt: "R-c" }] } });
    expect(paid.toSorted()).toEqual(["a", "b", "c"]);
  });

  it("is a few kilobytes in the store, sealed, and in no list that every server keeps in memory", async () => {
    const rack = await open(temporaryFolder(), []);
    const many = `const rows = Array.from({ length: 100 }, (_, n) => ({ id: "row-" + n, total: n * 2 }));\n${source.replace("return [bill", "return [rows.length, bill")}`;
    const call = run(rack, many);
    const { program, id } = await question(rack);
    const programs = rack.store.as({ owner: "toolrack-programs", agent: "server", roles: ["curator"] });
    const record = (await programs.get(program!.id))!;
    expect(JSON.stringify(record).length).toBeLessThan(20_000);
    expect(record.schema_name).toBe("code.run.v1");
    expect(JSON.stringify(record)).not.toContain("row-5");
    // Servers hold the records of this owner in memory; programs have another one.
    const kept = await rack.store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] }).searchBreadcrumbs({});
    expect(kept.map(({ schema_name }) => schema_name)).not.toContain("code.run.v1");
    await rack.approvals.decide(id, { approved: true, by: "anna" });
    expect(await call.result).toMatchObject({ ok: true, data: { value: [100, "B-1", "R-B-1"] } });
  });

  it("goes on with the program that called it, where both wait over a restart", async () => {
    const folder = temporaryFolder();
    const paid: string[] = [];
    const nest = async (): Promise<Rack> => {
      const rack = await open(folder, paid);
      rack.registry.register(
        defineTool({
          name: "pay_twice",
          description: "Pays two bills, in a program of its own.",
          inputSchema: { type: "object", properties: { bill: { type: "string" } }, required: ["bill"] },
          metadata: { limits: { timeoutMs: false } },
          async handler(input, context) {
            const inner = "const a = await tools.pay({ bill: input.bill }); return a.receipt;";
            return { receipt: (await rack.programs.run({ source: inner, input, tools: ["pay"] }, context)).value };
          },
        }),
      );
      return rack;
    };
    const first = await nest();
    run(first, "const r = await tools.pay_twice({ bill: 'B-7' }); return ['outer', r.receipt];");
    const asked = await question(first);
    expect((await first.programs.list()).map(({ tool }) => tool).toSorted()).toEqual(["pay_twice", "run_code"]);
    const outer = (await first.programs.list()).find(({ tool }) => tool === "run_code")!;
    await first.close({ graceMs: 0 });
    const second = await nest();
    await second.approvals.decide(asked.id, { approved: true, by: "anna" });
    await until(async () => (await second.programs.show(outer.id))?.status !== "waiting");
    expect(await second.programs.show(outer.id)).toMatchObject({ status: "ended", outcome: { value: ["outer", "R-B-7"] } });
    expect(paid).toEqual(["B-7"]);
  });
});
