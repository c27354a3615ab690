import { defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { beforeEach, describe, expect, it } from "vitest";
import type { WaitingApproval } from "../../../src/rack/approvals/approval.ts";
import type { Rack } from "../../../src/rack/rack.ts";

let folder: string;
/** What handlers did, in order. */
let done: string[];
beforeEach(() => {
  folder = temporaryFolder();
  done = [];
});

/** Begins, asks a person, and answers what the person said. */
const asking = (name: string, readOnly: boolean) =>
  defineTool({
    name,
    description: "Asks how.",
    inputSchema: { type: "object", properties: {} },
    metadata: { annotations: { readOnly } },
    async handler(_input, { ask }) {
      done.push(`${name} began`);
      const { action } = await ask({ message: "How?" });
      done.push(`${name} ended`);
      return { action };
    },
  });

function open(): Promise<Rack> {
  return openTestRack({
    folder,
    tools: [asking("change", false), asking("look", true)],
    config: { store: { sqlite: "store.db" }, tools: { packs: { programs: true } } },
    leaseTimes: { beatMs: 50, silentMs: 500 },
  });
}

async function question(rack: Rack): Promise<WaitingApproval> {
  let found: WaitingApproval | undefined;
  await until(async () => (found = (await rack.approvals.list())[0]) !== undefined);
  return found!;
}

const run = (rack: Rack, tool: string) =>
  rack.call(
    "run_code",
    { code: `try { return (await tools.${tool}({})).action; } catch (e) { return e.code; }` },
    { caller: { agent: "local", owner: true } },
  );

describe("a handler that asks a person inside a program", () => {
  it("goes on with the answer, and the question shows the program", async () => {
    const rack = await open();
    const call = run(rack, "change");
    const asked = await question(rack);
    expect(asked).toMatchObject({ tool: "change", message: "How?", program: { line: 1 } });
    expect(await rack.programs.list()).toMatchObject([{ id: asked.program?.id, status: "waiting" }]);
    await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    expect(await call.result).toMatchObject({ ok: true, data: { value: "accept" } });
    expect(done).toEqual(["change began", "change ended"]);
  });

  // One that is killed tells OUTCOME_UNKNOWN: see killed.test.ts.
  it("is not repeated after its server stopped: the program goes on with the failure, and nobody is asked in vain", async () => {
    const first = await open();
    run(first, "change");
    const { program } = await question(first);
    await first.close({ graceMs: 0 });
    const second = await open();
    await until(async () => (await second.programs.show(program!.id))?.status !== "waiting");
    expect(await second.programs.show(program!.id)).toMatchObject({ status: "ended", outcome: { value: "ABORTED" } });
    expect(await second.approvals.list()).toEqual([]);
    expect(done).toEqual(["change began"]);
  });

  it("is asked again on the next server where its tool may be called again", async () => {
    const first = await open();
    run(first, "look");
    const { program, id } = await question(first);
    await first.close({ graceMs: 0 });
    const second = await open();
    const asked = await question(second);
    expect(asked).toMatchObject({ tool: "look", program: { id: program!.id, line: 1 } });
    expect(asked.id).not.toBe(id);
    await second.approvals.decide(asked.id, { approved: true, by: "anna" });
    await until(async () => (await second.programs.show(program!.id))?.status !== "waiting");
    expect(await second.programs.show(program!.id)).toMatchObject({ status: "ended", outcome: { value: "accept" } });
    expect(done).toEqual(["look began", "look began", "look ended"]);
  });
});
