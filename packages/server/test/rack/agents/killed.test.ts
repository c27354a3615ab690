import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import { agentConfig, agentTools } from "./killed-agent.ts";

let postgres: TestPostgres;
let killing: string;

beforeAll(async () => {
  [postgres, killing] = await Promise.all([startPostgres(), bundleProgram(new URL("killing.ts", import.meta.url))]);
}, 120_000);
afterAll(async () => {
  removeProgram(killing);
  await postgres?.stop();
});

/** What the call may be answered with, and how often its tool may have done its work by then. */
const outcomes: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  "asked pay": [["ok", 1]],
  // The call may have been recorded as begun, or not; or it had done its work already.
  "replied pay": [
    ["ok", 1],
    ["OUTCOME_UNKNOWN", 0],
    ["OUTCOME_UNKNOWN", 1],
  ],
  "running set": [["ok", 1]],
  "did pay": [["OUTCOME_UNKNOWN", 1]],
  "answered set": [["ok", 1]],
};

describe.each(["SQLite", "PostgreSQL"] as const)("AH25: a server that is killed at a step of a run, on %s", (kind) => {
  it.each(Object.keys(outcomes))(
    "%s: the session goes on, every call has one answer, and nothing is done twice that must not be",
    async (round) => {
      const [step = "", tool = ""] = round.split(" ");
      const folder = temporaryFolder();
      writeFileSync(join(folder, "effects.txt"), "");
      const database = kind === "SQLite" ? "" : await createDatabase(postgres);
      const child = startProgram(killing, folder, step, tool, database);
      await until(() => child.lines.length > 0, `The server did not come to "${step}".`);
      await child.end("SIGKILL");

      const open = (): Promise<Rack> =>
        openTestRack({
          folder,
          environment: database === "" ? {} : { DATABASE_URL: database },
          config: agentConfig,
          tools: agentTools(folder, async () => undefined),
          leaseTimes: { beatMs: 50, silentMs: 500 },
        });
      // Two servers want to go on with it: one does.
      const [rack, other] = await Promise.all([open(), open()]);
      const { id } = (await rack.agents.sessions.get("agent:worker:work"))!;
      const isOver = async (): Promise<boolean> => (await rack.agents.sessions.get(id))?.status === "idle";
      await until(isOver, "Nobody went on with the session.");
      const messages = (await rack.agents.sessions.messages(id)).map(({ message }) => message);
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
      const answered = messages[2] as { readonly results: readonly { readonly ok: boolean; readonly code?: string }[] };
      const effects = readFileSync(join(folder, "effects.txt"), "utf8").split("\n").filter(Boolean).length;
      const [result] = answered.results;
      expect(outcomes[round]).toContainEqual([result!.ok ? "ok" : result!.code!, effects]);
      await Promise.all([rack.close({ graceMs: 0 }), other.close({ graceMs: 0 })]);
    },
    120_000,
  );
});
