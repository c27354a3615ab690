import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payingConfig, payingTools, type Stage, stages } from "./paying-tools.ts";

let postgres: TestPostgres;
let waiting: string;

beforeAll(async () => {
  [postgres, waiting] = await Promise.all([startPostgres(), bundleProgram(new URL("waiting.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(waiting);
  await postgres?.stop();
});

const unknown = "OUTCOME_UNKNOWN";
/** What the program may end with where its server was killed at a stage: what it paid, what it noted. */
const ends: Readonly<Record<Stage, readonly (readonly [string, string])[]>> = {
  asked: [["R", "noted"]],
  // The decision may have come or not; if not, it is made again.
  approved: [
    ["R", "noted"],
    [unknown, "noted"],
    ["R", unknown],
  ],
  paying: [[unknown, "noted"]],
  paid: [[unknown, "noted"]],
  // The handler itself asks: it had begun, and nobody can go on with it.
  asking: [["R", unknown]],
  noting: [["R", unknown]],
  noted: [["R", unknown]],
  looking: [["R", "noted"]],
};

async function round(kind: "SQLite" | "PostgreSQL", stage: Stage): Promise<void> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "effects.txt"), "");
  const database = kind === "SQLite" ? "" : await createDatabase(postgres);
  const child = startProgram(waiting, folder, stage, database);
  await until(() => child.lines.length > 0, `The server did not come to "${stage}".`);
  await child.end("SIGKILL");

  const rack = await openTestRack({
    folder,
    environment: database === "" ? {} : { DATABASE_URL: database },
    config: payingConfig,
    tools: payingTools(folder, async () => undefined),
    leaseTimes: { beatMs: 50, silentMs: 500 },
  });
  const programs = await rack.programs.list();
  expect(programs).toHaveLength(1);
  const { id } = programs[0]!;
  await until(async () => {
    for (const asked of await rack.approvals.list()) await rack.approvals.decide(asked.id, { approved: true, by: "anna" });
    return (await rack.programs.show(id))!.status !== "waiting";
  }, `The program did not go on after "${stage}".`);
  const ended = (await rack.programs.show(id))!;
  expect({ stage, error: ended.error }).toEqual({ stage, error: undefined });
  const value = ended.outcome?.value as readonly (string | number)[];
  expect({ stage, status: ended.status, again: value[2] }).toEqual({ stage, status: "ended", again: 7 });
  expect(ends[stage]).toContainEqual(value.slice(0, 2));
  const effects = readFileSync(join(folder, "effects.txt"), "utf8").split("\n").filter(Boolean);
  tell({ kind, stage, ended: ended.status === "ended", unknown: value.includes(unknown), twice: new Set(effects).size < effects.length });
  expect({ stage, effects: [...new Set(effects)] }).toEqual({ stage, effects }); // nothing twice
  if (value[0] === "R") expect(effects).toContain("pay");
  if (value[1] === "noted") expect(effects).toContain("note");
  await rack.close({ graceMs: 0 });
}

/** For the table of the long form. */
function tell(line: object): void {
  const file = process.env["TOOLRACK_ROUNDS"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

describe.each(["SQLite", "PostgreSQL"] as const)("a program on %s whose server is killed", (kind) => {
  const rounds = sized(2, 100);
  it(
    "ends once: what had ended is not repeated, and what nobody knows is told",
    async () => {
      // The short form covers the stages between both stores.
      const order: readonly Stage[] = kind === "SQLite" ? ["asked", "paid"] : ["asking", "noted"];
      for (let count = 0; count < rounds; count++) {
        const stage = count < order.length ? order[count]! : stages[count % stages.length]!;
        await round(kind, stage);
      }
    },
    sized(600_000, 14_400_000),
  );
});
