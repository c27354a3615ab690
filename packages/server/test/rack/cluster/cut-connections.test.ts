import { defineTool } from "@toolrack/core";
import { verifyAudit } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import pg from "pg";
import { expect, it } from "vitest";

const indexes = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

it("two servers whose database cuts all connections under load: each key ends with its one run, and the audit has them all", async () => {
  const postgres = await startPostgres();
  afterThisTest(() => postgres.stop());
  const url = await createDatabase(postgres);
  const admin = new pg.Client({ connectionString: postgres.connectionString });
  await admin.connect();
  afterThisTest(() => admin.end());
  const cut = () =>
    admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [new URL(url).pathname.slice(1)]);

  const ran: number[] = [];
  const work = defineTool({
    name: "work",
    description: "Must not be done twice.",
    inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    handler: ({ n }) => ({ run: ran.push(n) }),
  });
  const options = { environment: { DATABASE_URL: url }, config: {}, tools: [work] };
  const racks = [await openTestRack(options), await openTestRack(options)];

  /** As a caller does that was told to try again: with its key, at the next server. */
  async function workOnce(n: number): Promise<string> {
    for (let attempt = n; ; attempt++) {
      const call = racks[attempt % 2]!.call("work", { n }, { caller: { agent: "anna" }, idempotencyKey: `key-${n}` });
      const result = await call.result;
      if (result.ok) return result.meta.callId;
      expect(result, `key ${n}`).toMatchObject({ status: 503, retryable: true });
    }
  }

  const rounds = sized(3, 40);
  const calls = Promise.all(indexes(rounds * 20).map(workOnce));
  for (const round of indexes(rounds)) {
    await until(() => ran.length > round * 15);
    await cut();
  }
  const callIds = await calls;
  expect(ran.toSorted((a, b) => a - b)).toEqual(indexes(rounds * 20));
  for (const callId of callIds) await until(async () => (await racks[0]!.calls.show(callId))?.ok === true);
  expect(await verifyAudit(racks[0]!.store)).toMatchObject({ ok: true });
});
