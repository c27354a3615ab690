import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { perStore, sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import { agentConfig, agentTools, type Step } from "./killed-agent.ts";

let postgres: TestPostgres;
let killing: string;

beforeAll(async () => {
  [postgres, killing] = await Promise.all([startPostgres(), bundleProgram(new URL("killing.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(killing);
  await postgres?.stop();
});

type Store = "SQLite" | "PostgreSQL";
type Outcome = readonly [string, number];

const once: readonly Outcome[] = [["ok", 1]];
// The call may have been recorded as begun, or not; or it had done its work already.
const somewhere: readonly Outcome[] = [...once, ["OUTCOME_UNKNOWN", 0], ["OUTCOME_UNKNOWN", 1]];
const again: readonly Outcome[] = [...once, ["ok", 2]];

/** What the call may be answered with, and how often its tool may have done its work by then. Only `set` may be called again. */
const outcomes: Readonly<Record<Step, Readonly<Record<string, readonly Outcome[]>>>> = {
  asked: { pay: somewhere, set: again },
  replied: { pay: somewhere, set: again },
  running: { pay: [["OUTCOME_UNKNOWN", 0]], set: once },
  did: { pay: [["OUTCOME_UNKNOWN", 1]], set: [["ok", 2]] },
  answered: { pay: once, set: once },
  said: { pay: once, set: once },
  begun: { pay: somewhere, set: again },
};

/** Each step with each tool; the short form has some of them. */
const all = (Object.keys(outcomes) as Step[]).flatMap((step) => [`${step} pay`, `${step} set`]);
const rounds: readonly string[] =
  sized(0, 1) === 0
    ? ["asked pay", "replied pay", "running set", "did pay", "answered set", "begun pay"]
    : Array.from({ length: 100 }, (_, index) => all[index % all.length]!);

describe.each(["SQLite", "PostgreSQL"] as const)("AH25: a server that is killed at a step of a run, on %s", (kind) => {
  it.each(
    perStore(
      rounds.map((round, index) => [round, index] as const),
      kind,
    ),
  )("%s: the session goes on, every call has one answer, and nothing is done twice that must not be", async (name, index) => {
    const [step, tool] = name.split(" ") as [Step, string];
    const { roles, result, effects } = await round(kind, step, tool, index);
    tell({ kind, step, tool, whole: roles.length === 4, unknown: result !== "ok", effects });
    expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(outcomes[step][tool]).toContainEqual([result, effects]);
  });
});

interface Ended {
  readonly roles: readonly string[];
  readonly result: string;
  /** How often the tool has done its work. */
  readonly effects: number;
}

async function round(kind: Store, step: Step, tool: string, index: number): Promise<Ended> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "effects.txt"), "");
  const database = kind === "SQLite" ? "" : await createDatabase(postgres);
  const child = startProgram(killing, folder, step, tool, database, String(index));
  await until(() => child.lines.length > 0, `The server did not come to "${step}".`);
  await child.end("SIGKILL");

  const open = (): Promise<Rack> =>
    openTestRack({
      folder,
      environment: database === "" ? {} : { DATABASE_URL: database },
      config: agentConfig,
      tools: agentTools(folder, async () => undefined),
      leaseTimes: { beatMs: 50, silentMs: 500, lostDelaysMs: [50] },
    });
  // Two servers want to go on with it: one does.
  const [rack, other] = await Promise.all([open(), open()]);
  const { id } = (await rack.agents.sessions.get("agent:worker:work"))!;
  const isOver = async (): Promise<boolean> => (await rack.agents.sessions.get(id))?.status === "idle";
  await until(isOver, `Nobody went on with the session after "${step}".`);
  const messages = (await rack.agents.sessions.messages(id)).map(({ message }) => message);
  await Promise.all([rack.close({ graceMs: 0 }), other.close({ graceMs: 0 })]);
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const effects = readFileSync(join(folder, "effects.txt"), "utf8").split("\n").filter(Boolean).length;
  return { roles: messages.map(({ role }) => role), result: results.map((one) => (one.ok ? "ok" : one.code)).join(), effects };
}

/** For the table of the long form. */
function tell(line: object): void {
  const file = process.env["TOOLRACK_ROUNDS"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
