import { defineTool } from "@toolrack/core";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import type { WaitingApproval } from "../../../src/rack/approvals/approval.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await startPostgres()));
afterAll(() => postgres?.stop());

let done: string[];
let database: string;
let folder: string;
beforeEach(async () => {
  done = [];
  database = await createDatabase(postgres);
  folder = temporaryFolder();
});

const bill = { type: "object", properties: { bill: { type: "string" } }, required: ["bill"] } as const;

function open(): Promise<Rack> {
  const tool = (name: string) =>
    defineTool({
      name,
      description: "Does it.",
      inputSchema: bill,
      handler: (input) => void done.push(`${name} ${String(input["bill"])}`),
    });
  return openTestRack({
    folder,
    environment: { DATABASE_URL: database },
    tools: [tool("pay"), tool("book")],
    config: { tools: { packs: { programs: true } }, policy: { tools: { ask: ["pay"] } } },
    leaseTimes: { beatMs: 50, silentMs: 500 },
  });
}

/** A program waits, and its server is gone. */
async function leave(number: number): Promise<WaitingApproval> {
  const rack = await open();
  const code = `await tools.pay({ bill: "${number}" }); await tools.book({ bill: "${number}" }); return "done";`;
  void rack.call("run_code", { code }, { caller: { agent: `worker-${number}` } });
  let asked: WaitingApproval | undefined;
  await until(async () => (asked = (await rack.approvals.list()).find(({ caller }) => caller.agent === `worker-${number}`)) !== undefined);
  await rack.close({ graceMs: 0 });
  return asked!;
}

async function goOn(asked: WaitingApproval): Promise<unknown> {
  const rack = await open();
  await rack.approvals.decide(asked.id, { approved: true, by: "anna" }).catch(() => undefined);
  const show = async (): Promise<{ readonly status: string } | undefined> =>
    rack.programs.show(asked.program!.id).catch((error: Error) => ({ status: error.message }));
  await until(async () => !["waiting", undefined].includes((await show())?.status) && !(await show())!.status.includes("does not go on"));
  const { status, outcome, error } = (await rack.programs.show(asked.program!.id))!;
  await rack.close({ graceMs: 0 });
  return { status, ...(outcome && { value: outcome.value }), ...(error && { code: error.code }) };
}

async function sql(...queries: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    for (const query of ["set search_path to toolrack", ...queries]) await client.query(query);
  } finally {
    await client.end();
  }
}

/** The program and the marks of servers that have programs. */
const kept = "id like 'program-%'";
const tags = `position in (select position from breadcrumbs where ${kept})`;

function isRecord({ program }: WaitingApproval): string {
  return `id = '${program!.id}'`;
}

describe("somebody who can write to the database", () => {
  it("cannot have the work of a program done twice by putting its record back", async () => {
    const asked = await leave(1);
    await sql(
      `create table was as select * from breadcrumbs where ${kept}`,
      `create table was_tagged as select * from breadcrumb_tags where ${tags}`,
      "create table was_revised as select sequence from revisions",
    );
    expect(await goOn(asked)).toEqual({ status: "ended", value: "done" });
    expect(done).toEqual(["pay 1", "book 1"]);
    await sql(
      `delete from breadcrumb_tags where ${tags}`,
      `delete from breadcrumbs where ${kept}`,
      `delete from revisions where ${kept} and sequence not in (select sequence from was_revised)`,
      "insert into breadcrumbs select * from was",
      "insert into breadcrumb_tags select * from was_tagged",
    );
    expect(await goOn(asked)).toEqual({ status: "failed", code: "OUTCOME_UNKNOWN" });
    expect(done).toEqual(["pay 1", "book 1"]);
  });

  it.each([
    ["the call", "{context,callId}", '"another"'],
    ["the time", "{context,startedAt}", "1"],
  ])("cannot change what is readable of it: %s", async (_what, path, value) => {
    const asked = await leave(1);
    await sql(`update breadcrumbs set body = jsonb_set(body::jsonb, '${path}', '${value}')::text where ${isRecord(asked)}`);
    expect(await goOn(asked)).toEqual({ status: "failed", code: "OUTCOME_UNKNOWN" });
    expect(done).toEqual([]);
  });

  it("cannot give the program of one caller to another", async () => {
    const [mine, other] = [await leave(1), await leave(2)];
    await sql(
      `update breadcrumbs set body = jsonb_set(body::jsonb, '{context}', (select body::jsonb -> 'context' from breadcrumbs where ${isRecord(other)}))::text
       where ${isRecord(mine)}`,
    );
    expect(await goOn(mine)).toEqual({ status: "failed", code: "OUTCOME_UNKNOWN" });
    expect(done).toEqual([]);
  });
});
