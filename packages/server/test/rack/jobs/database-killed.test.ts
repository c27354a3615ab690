import { defineTool } from "@toolrack/core";
import { createDatabase } from "@toolrack/testkit/databases";
import { type OwnPostgres, startOwnPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, expect, it } from "vitest";

let postgres: OwnPostgres;
beforeAll(async () => void (postgres = await startOwnPostgres()));
afterAll(() => postgres?.stop());

it.each(["waiting", "running", "over"] as const)(
  "PostgreSQL that is killed while a job is %s: the job is done once it is back, and its work is done once",
  async (stage) => {
    let effects = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const work = defineTool({
      name: "work",
      description: "Works until it is told to end.",
      inputSchema: { type: "object" },
      handler: async () => {
        effects += 1;
        await released;
        return "done";
      },
    });
    const rack = await openTestRack({ environment: { DATABASE_URL: await createDatabase(postgres) }, config: {}, tools: [work] });
    const ofStage = stage === "waiting" ? { at: Date.now() + 3_600_000 } : {};
    const { job } = await rack.jobs.add({ tool: "work", input: {}, caller: { agent: "anna" }, ...ofStage });
    if (stage !== "waiting") await until(() => effects === 1);
    await postgres.faults.end("SIGKILL");
    // Its result comes while there is no database.
    if (stage === "over") release();
    await postgres.faults.start();
    if (stage === "waiting")
      await until(() =>
        rack.jobs.retry(job.id).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    release();
    await until(async () => (await rack.jobs.get(job.id).catch(() => undefined))?.endedAt !== undefined);
    expect(await rack.jobs.get(job.id)).toMatchObject({ state: "done", attempt: 1, result: { ok: true, content: "done" } });
    expect(effects).toBe(1);
  },
);
