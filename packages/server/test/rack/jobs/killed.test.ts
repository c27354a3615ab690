import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jobTools, type Stage, stages } from "./job-tools.ts";

let postgres: TestPostgres;
let killing: string;

beforeAll(async () => {
  [postgres, killing] = await Promise.all([startPostgres(), bundleProgram(new URL("killing.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(killing);
  await postgres?.stop();
});

/** What may have become of a job whose server was killed at a stage: its end, and how often the tool did its work. */
const ends: Readonly<Record<"pay" | "set", Readonly<Record<Stage, readonly (readonly [string, number])[]>>>> = {
  pay: {
    added: [["done", 1]],
    // The call may have been recorded as begun, or not.
    started: [
      ["done", 1],
      ["OUTCOME_UNKNOWN", 0],
    ],
    running: [["OUTCOME_UNKNOWN", 0]],
    did: [["OUTCOME_UNKNOWN", 1]],
    done: [["done", 1]],
  },
  set: { added: [["done", 1]], started: [["done", 1]], running: [["done", 1]], did: [["done", 2]], done: [["done", 1]] },
};

const tools = ["pay", "set"] as const;
type Rounds = Readonly<Partial<Record<Stage, readonly (typeof tools)[number][]>>>;
/** Each stage on a store, each tool on both stores, and work that was done before the kill with both tools; the long form has all together. */
const short: Readonly<Record<"SQLite" | "PostgreSQL", Rounds>> = {
  SQLite: { added: ["set"], running: ["pay"], did: ["set"] },
  PostgreSQL: { started: ["set"], did: ["pay"], done: ["pay"] },
};
const long: Rounds = Object.fromEntries(stages.map((stage) => [stage, tools]));

describe.each(["SQLite", "PostgreSQL"] as const)("a server that is killed at a stage of a job, on %s", (kind) => {
  const rounds = sized(short[kind], long);
  it.each(stages.filter((stage) => Object.hasOwn(rounds, stage)))(
    "%s: leaves a job that is done, or told as lost, and no work done twice that must not be",
    async (stage) => {
      for (const tool of rounds[stage]!) {
        const folder = temporaryFolder();
        writeFileSync(join(folder, "effects.txt"), "");
        const database = kind === "SQLite" ? "" : await createDatabase(postgres);
        const child = startProgram(killing, folder, stage, tool, database);
        await until(() => child.lines.length > 0, `The server did not come to "${stage}".`);
        await child.end("SIGKILL");

        const rack = await openTestRack({
          folder,
          environment: database === "" ? {} : { DATABASE_URL: database },
          config: {},
          tools: jobTools(folder, async () => undefined),
          leaseTimes: { beatMs: 50, silentMs: 500, lostDelaysMs: [50] },
        });
        const [job] = await rack.jobs.list();
        const ended = await rack.jobs.waitFor(job!.id, { timeoutMs: 60_000 });
        const effects = (): number => readFileSync(join(folder, "effects.txt"), "utf8").split("\n").filter(Boolean).length;
        const before = effects();
        expect(ends[tool][stage]).toContainEqual([ended!.state === "dead" ? ended!.error!.code : ended!.state, before]);
        // Whoever repeats it with its key gets this job, also one that was lost: nothing runs again unasked.
        const again = await rack.jobs.add({ tool, input: {}, caller: { agent: "anna" }, key: "once" });
        expect(again).toMatchObject({ isNew: false, job: { id: job!.id, state: ended!.state } });
        expect(effects()).toBe(before);
        await rack.close({ graceMs: 0 });
      }
    },
  );
});
