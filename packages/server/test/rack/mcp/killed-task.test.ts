import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, type ChildServer, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { perStore, sized } from "@toolrack/testkit/sized";
import { openTestRack, sharedMasterKey } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../../src/serve.ts";
import { callAsTask, cancelTask, getTask, type Reached, type WireTask } from "./task-client.ts";
import { effects, type How, taskTools } from "./task-tools.ts";

let postgres: TestPostgres;
let serving: string;
beforeAll(async () => {
  [postgres, serving] = await Promise.all([startPostgres(), bundleProgram(new URL("serving-tasks.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(serving);
  await postgres?.stop();
});

type Started = Reached & { readonly child: ChildServer };

/** A server in this process: what takes over from a killed one need not be killed. */
async function startHere(folder: string, how: How, database: string): Promise<Reached> {
  const rack = await openTestRack({
    folder,
    environment: database === "" ? {} : { DATABASE_URL: database, TOOLRACK_MASTER_KEY: sharedMasterKey },
    tools: taskTools(folder, how),
    config: {},
    leaseTimes: { beatMs: 200, silentMs: 2_000, lostDelaysMs: [50] },
  });
  const { url, close } = await serve(rack, { port: 0, consoleFolder: false });
  afterThisTest(() => close({ graceMs: 0 }));
  return { url, token: rack.ownerToken.text };
}

async function start(folder: string, how: How, database: string): Promise<Started> {
  const child = startProgram(serving, folder, how, database);
  await until(() => child.lines.length > 0, "The server did not start.");
  return { child, ...(child.lines[0] as Reached) };
}

const hasSaid = (child: ChildServer, word: string): boolean => child.lines.some((line) => Object.hasOwn(line as object, word));

async function ended(server: Reached, taskId: string): Promise<WireTask> {
  let task = await getTask(server, taskId);
  await until(async () => (task = await getTask(server, taskId)).status !== "working", "The task did not end.");
  return task;
}

const unknown = expect.stringContaining("Whether the tool did its work is unknown") as string;
const lost = { status: "failed", statusMessage: unknown, error: { code: -32_603, message: unknown } };

const stores = ["SQLite", "PostgreSQL"] as const;
const databasesOf = (kind: (typeof stores)[number]) => async (): Promise<string> => (kind === "SQLite" ? "" : createDatabase(postgres));

const paused = [
  { tool: "set", end: { status: "completed", result: { content: [{ text: "set 1" }] } }, times: 2 },
  { tool: "pay", end: lost, times: 1 },
];

// fault 10; that a server of another machine is found to be silent in the set time: calls/one-sweep.test.ts
describe.each(stores.slice(0, sized(1, 2)))("a task whose server is gone, on %s", (kind) => {
  const databaseOf = databasesOf(kind);

  it("ends with the result under its id if its tool is idempotent, and as failed otherwise, where another server is there", async () => {
    const [folder, database] = [temporaryFolder(), await databaseOf()];
    const first = await start(folder, "hold", database);
    const second = await startHere(folder, "go", database);
    const set = await callAsTask(first, "set", { sum: 1 });
    const pay = await callAsTask(first, "pay", { sum: 2 });
    await until(() => effects(folder) === 2);
    expect(await getTask(second, set.taskId)).toMatchObject({ status: "working" });
    await first.child.end("SIGKILL");
    expect(await ended(second, set.taskId)).toMatchObject({
      taskId: set.taskId,
      status: "completed",
      result: { content: [{ text: "set 1" }] },
    });
    expect(await ended(second, pay.taskId)).toMatchObject(lost);
    expect(effects(folder)).toBe(3);
  });
});

describe.each(stores)("a task whose server is only paused, on %s", (kind) => {
  const databaseOf = databasesOf(kind);

  it.each(perStore(paused, kind))(
    "$tool: has one end where its server was only paused, which changes nothing when it comes back",
    async ({ tool, end, times }) => {
      const [folder, database] = [temporaryFolder(), await databaseOf()];
      const first = await start(folder, "stop", database);
      const second = await startHere(folder, "go", database);
      const { taskId } = await callAsTask(first, tool, { sum: 1 });
      writeFileSync(join(folder, "stop"), "");
      expect(await ended(second, taskId)).toMatchObject(end);
      writeFileSync(join(folder, "return"), "");
      process.kill(first.child.pid, "SIGCONT");
      await until(() => hasSaid(first.child, "returned"));
      await first.child.end("SIGTERM");
      expect(await getTask(second, taskId)).toMatchObject(end);
      expect(effects(folder)).toBe(times);
    },
  );
});

// The short form has these on the store that servers of several machines share, and the first above on the other one.
describe.each(stores.slice(sized(1, 0)))("a task whose server is gone in other ways, on %s", (kind) => {
  const databaseOf = databasesOf(kind);

  it("does so on the same server after its restart", async () => {
    const [folder, database] = [temporaryFolder(), await databaseOf()];
    const first = await start(folder, "hold", database);
    const set = await callAsTask(first, "set", { sum: 1 });
    const pay = await callAsTask(first, "pay", { sum: 2 });
    await until(() => effects(folder) === 2);
    await first.child.end("SIGKILL");
    const again = await startHere(folder, "go", database);
    expect(await ended(again, set.taskId)).toMatchObject({ status: "completed", result: { content: [{ text: "set 1" }] } });
    expect(await ended(again, pay.taskId)).toMatchObject(lost);
    expect(effects(folder)).toBe(3);
  });

  it("goes on after a server that was told to stop, if its tool is idempotent", async () => {
    const [folder, database] = [temporaryFolder(), await databaseOf()];
    const first = await start(folder, "hold", database);
    const set = await callAsTask(first, "set", { sum: 1 });
    await until(() => effects(folder) === 1);
    await first.child.end("SIGTERM");
    const again = await startHere(folder, "go", database);
    expect(await ended(again, set.taskId)).toMatchObject({ status: "completed", result: { content: [{ text: "set 1" }] } });
  });

  it("can be cancelled while a job goes on with it", async () => {
    const [folder, database] = [temporaryFolder(), await databaseOf()];
    const first = await start(folder, "hold", database);
    const second = await startHere(folder, "hold", database);
    const { taskId } = await callAsTask(first, "set");
    await until(() => effects(folder) === 1);
    await first.child.end("SIGKILL");
    await until(() => effects(folder) === 2);
    await cancelTask(second, taskId);
    expect(await getTask(second, taskId)).toMatchObject({ status: "cancelled", statusMessage: "The client cancelled it." });
    const jobs = async (): Promise<readonly { readonly state: string; readonly origin: string }[]> => {
      const answer = await fetch(new URL("/api/v1/jobs", second.url), { headers: { authorization: `Bearer ${second.token}` } });
      return ((await answer.json()) as { jobs: { state: string; origin: string }[] }).jobs;
    };
    await until(async () => (await jobs()).every(({ state, origin }) => state === "cancelled" && origin === "task"));
  });
});
