import { defineTool } from "@toolrack/core";
import { endOfTask, mcpClient, type StoredTask } from "@toolrack/mcp";
import { createMemoryStore, createTickets } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMessageSealer } from "../../../src/rack/mcp/sealed-messages.ts";
import { createTaskManager } from "../../../src/rack/mcp/task-manager.ts";
import { createTasks } from "../../../src/rack/mcp/tasks.ts";
import { serve } from "../../../src/serve.ts";
import { callAsTask, getTask, type WireTask } from "./task-client.ts";

const tooLarge = expect.stringMatching(
  /^Tool "large" did its work, and its result is larger than a task can be: .* What it did is not undone; ask it for less\.$/,
) as string;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => postgres?.stop());

describe.each(["SQLite", "PostgreSQL"] as const)("a result that is larger than a task can be, on %s", (kind) => {
  it("ends the task as failed, and says that the tool did its work", async () => {
    const large = defineTool({
      name: "large",
      description: "Reads all of it.",
      inputSchema: { type: "object" },
      outputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      metadata: { limits: { maxResultBytes: 50_000_000 } },
      async handler(_input, context) {
        await mcpClient(context)?.becomeTask();
        return { text: "x".repeat(5_000_000) };
      },
    });
    const environment = kind === "SQLite" ? {} : { DATABASE_URL: await createDatabase(postgres) };
    const rack = await openTestRack({ environment, tools: [large], config: {} });
    const { url, close } = await serve(rack, { port: 0, consoleFolder: false });
    afterThisTest(() => close({ graceMs: 0 }));
    const server = { url, token: rack.ownerToken.text };
    const { taskId } = await callAsTask(server, "large");
    let task: WireTask | undefined;
    await until(async () => (task = await getTask(server, taskId)).status !== "working");
    expect(task).toMatchObject({ status: "failed", error: { message: tooLarge } });
    expect(task).not.toHaveProperty("result");
  });
});

describe("a result that is larger than a task can be, of a server that is gone", () => {
  const meta = { callId: "call-1", tool: "large", durationMs: 1 };
  const output = "x".repeat(5_000);

  async function open() {
    const store = await createMemoryStore();
    afterThisTest(() => store.close());
    const sealer = createMessageSealer(new Uint8Array(32));
    const tasks = createTasks({ tickets: createTickets(store, { maxBodyBytes: 3_000 }), server: { name: "gone" }, sealer });
    const stored = { callId: "call-1", tool: "large", caller: {}, ok: true, output, durationMs: 1, at: 0, startedAt: 0 };
    const manager = createTaskManager({
      tasks,
      jobs: {
        get: async () => ({ id: "job", endedAt: 1, state: "done", result: { ok: true, content: output, meta } }),
        subscribe: () => () => undefined,
      } as never,
      registry: { get: () => undefined },
      unfinished: { calls: { abandon: async () => 0, show: async () => stored } as never, toolOf: () => undefined },
      ownName: () => "here",
      onStoreFailed: () => expect.unreachable(),
      log: { info: () => undefined } as never,
    });
    manager.begin();
    const create = async (taskId: string): Promise<StoredTask> => {
      const now = new Date().toISOString();
      const times = { createdAt: now, lastUpdatedAt: now, ttlMs: 60_000, pollIntervalMs: 1_000 };
      const task = {
        taskId,
        owner: "ann",
        tool: "large",
        status: "working",
        ...times,
        inputRequests: {},
        inputResponses: {},
        revision: 1,
      } as const;
      await tasks.create(task, { callId: "call-1", input: {}, caller: {} });
      return task;
    };
    return { tasks, manager, create };
  }

  it("ends the task as failed, so that the server that looks for such tasks goes on with the others", async () => {
    const { tasks, manager, create } = await open();
    await create("one");
    await create("two");
    expect(await manager.abandon("gone")).toBe(2);
    for (const id of ["one", "two"]) expect(await tasks.get(id)).toMatchObject({ status: "failed", error: { message: tooLarge } });
  });

  it("ends the task as failed where a job has made the call again, for whoever asks", async () => {
    const { tasks, manager, create } = await open();
    const task = await create("one");
    await tasks.take((await tasks.find("one"))!, { ...task, revision: 2, runs: 2 }, "job");
    expect(await manager.get("one")).toMatchObject({ status: "failed", error: { message: tooLarge } });
  });

  it("leaves the task as it was until then", async () => {
    const { tasks, create } = await open();
    const task = await create("one");
    const ended = endOfTask(task, { result: { ok: true, content: output, meta }, tool: undefined });
    await expect(tasks.replace(ended, 1)).rejects.toMatchObject({ code: "RESULT_TOO_LARGE", message: tooLarge });
    expect(await tasks.get("one")).toEqual(task);
  });
});
