import { createRequire } from "node:module";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { expect, it } from "vitest";

interface Database {
  prepare(sql: string): { run(...values: readonly unknown[]): unknown; get(...values: readonly unknown[]): Record<string, unknown> };
  close(): void;
}

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as { DatabaseSync: new (file: string) => Database };
const ran: unknown[] = [];
const tool = (name: string) =>
  defineTool({
    name,
    description: "Notes its call.",
    inputSchema: { type: "object", properties: { to: { type: "string" } } },
    handler: ({ to }, { caller }) => {
      ran.push([name, to, caller.agent]);
      return "done";
    },
  });

const inAnHour = (): number => Date.now() + 3_600_000;

it.each([
  [
    "its content by another job's",
    (mine: string, other: string) => `update jobs set payload = (select payload from jobs where id = '${other}') where id = '${mine}'`,
  ],
  [
    "one character of its content",
    (mine: string) =>
      `update jobs set payload = substr(payload, 1, 39) || iif(substr(payload, 40, 1) = 'A', 'B', 'A') || substr(payload, 41) where id = '${mine}'`,
  ],
  [
    "its content by one that is not sealed",
    (mine: string) => `update jobs set payload = '{"tool":"pay","input":{"to":"mallory"},"caller":{"owner":true}}' where id = '${mine}'`,
  ],
  ["its caller", (mine: string) => `update jobs set caller = '[null,null,"owner"]' where id = '${mine}'`],
  ["its tool", (mine: string) => `update jobs set subject = 'pay' where id = '${mine}'`],
  ["its origin", (mine: string) => `update jobs set origin = 'schedule:daily' where id = '${mine}'`],
])("a job does not run after somebody replaced %s in the store", async (_, change) => {
  ran.length = 0;
  const folder = temporaryFolder();
  const open = () => openTestRack({ folder, config: {}, tools: [tool("note"), tool("pay")] });
  const first = await open();
  const { job } = await first.jobs.add({ tool: "note", input: { to: "anna" }, caller: { agent: "bot" }, at: inAnHour() });
  const { job: other } = await first.jobs.add({ tool: "pay", input: { to: "bob" }, caller: { agent: "boss" }, at: inAnHour() });
  await first.close();
  const database = new DatabaseSync(join(folder, ".toolrack/toolrack.db"));
  const before = JSON.stringify(database.prepare("select * from jobs where id = ?").get(job.id));
  database.prepare(change(job.id, other.id)).run();
  expect(JSON.stringify(database.prepare("select * from jobs where id = ?").get(job.id))).not.toBe(before);
  expect(before).not.toContain("anna");
  database.close();
  const rack = await open();
  await rack.jobs.retry(job.id);
  const ended = await rack.jobs.waitFor(job.id, { timeoutMs: 60_000 });
  expect(ended).toMatchObject({ state: "dead", error: { code: "STATE_INVALID" }, caller: undefined, input: undefined });
  expect(ran).toEqual([]);
});
