import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it, vi } from "vitest";
import { McpError } from "../../../src/errors.ts";
import { createMemoryTaskStore } from "../../../src/serve/tasks/memory-task-store.ts";
import { serveAsTask, type TaskSupport } from "../../../src/serve/tasks/serve-as-task.ts";
import { startTask } from "../../../src/serve/tasks/task-run.ts";
import type { StoredTask, TaskStore } from "../../../src/serve/tasks/task-store.ts";

const call = { callId: "call-1", input: { a: 1 }, caller: { agent: "ada" } };
const roots = { method: "roots/list", params: {} } as const;

/** A store that keeps what it is asked, and tells who watches unless it cannot. */
function keeping({ watches = true } = {}) {
  const { watch, ...memory } = createMemoryTaskStore();
  const created: unknown[][] = [];
  const left = vi.fn();
  const store: TaskStore = {
    ...memory,
    create: (...given) => (created.push(given), memory.create(...given)),
    ...(watches && {
      watch: (taskId: string, listener: () => void) => {
        const leave = watch!(taskId, listener);
        return () => (left(), leave());
      },
    }),
  };
  return { store, created, left };
}

async function start(options: { watches?: boolean } = {}) {
  const { store, created, left } = keeping(options);
  const onCancel = vi.fn();
  const run = await startTask({ store, owner: "ada", tool: "report", call, ttlMs: 60_000, pollIntervalMs: 100, onCancel });
  const { taskId } = run.task;
  const now = async (): Promise<StoredTask> => (await store.get(taskId))!;
  const change = async (more: Partial<StoredTask>): Promise<void> => {
    const task = await now();
    await store.replace({ ...task, ...more, revision: task.revision + 1 }, task.revision);
    await turns(2);
  };
  return { store, created, left, onCancel, run, now, change };
}

describe("the work behind a task", () => {
  it("is stored before anybody hears of it", async () => {
    const { run, created, now } = await start();
    expect(run.task).toEqual({
      taskId: expect.stringMatching(/^[\w-]{32}$/),
      owner: "ada",
      tool: "report",
      status: "working",
      createdAt: expect.stringMatching(/^20\d\d-.*Z$/),
      lastUpdatedAt: run.task.createdAt,
      ttlMs: 60_000,
      pollIntervalMs: 100,
      inputRequests: {},
      inputResponses: {},
      revision: 1,
    });
    expect([created, await now()]).toEqual([[[run.task, call]], run.task]);
  });

  it("ends with its result, or with what went wrong, and asks nothing more", async () => {
    const done = await start();
    void done.run.answers({ one: roots });
    await turns(2);
    await done.run.complete({ content: [] });
    const over = { inputRequests: {}, inputResponses: {}, revision: 3 };
    expect(await done.now()).toEqual({
      ...done.run.task,
      ...over,
      lastUpdatedAt: expect.any(String),
      status: "completed",
      result: { content: [] },
    });
    expect([done.left.mock.calls.length, done.onCancel.mock.calls.length]).toEqual([1, 0]);
    const failed = await start();
    await failed.run.fail(new McpError("invalidParams", "No.", { why: 1 }));
    expect(await failed.now()).toMatchObject({ status: "failed", error: { code: -32602, message: "No.", data: { why: 1 } } });
    const plain = await start();
    await plain.run.fail(new McpError("internal", "No."));
    expect((await plain.now()).error).toEqual({ code: -32603, message: "No." });
  });

  it("ends once the store is back, where that is away when the work is done", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const { store, run, now } = await start();
    const { replace } = store;
    const away = (retryable: boolean) => vi.fn(() => Promise.reject(Object.assign(new Error("The database is away."), { retryable })));
    const fails = away(true);
    Object.assign(store, { replace: fails });
    const done = run.complete({ content: [] });
    done.catch(() => undefined);
    await turns(3);
    for (const waitMs of [100, 200]) await vi.advanceTimersByTimeAsync(waitMs);
    expect([fails.mock.calls.length, (await now()).status]).toEqual([3, "working"]);
    Object.assign(store, { replace });
    await vi.advanceTimersByTimeAsync(400);
    await done;
    expect(await now()).toMatchObject({ status: "completed", result: { content: [] } });
    const other = await start();
    Object.assign(other.store, { replace: away(false) });
    await expect(other.run.complete({ content: [] })).rejects.toThrow("The database is away.");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("asks its questions together, and goes on when all of one asking are answered", async () => {
    const { run, now, change } = await start();
    const answered: unknown[] = [];
    void run.answers({ one: roots, two: roots }).then((answers) => answered.push(answers));
    void run.answers({ three: roots }).then((answers) => answered.push(answers));
    await turns(3);
    expect(await now()).toMatchObject({ status: "input_required", inputRequests: { one: roots, two: roots, three: roots } });
    await change({ inputResponses: { one: 1 } });
    expect(answered).toEqual([]);
    await change({ inputResponses: { one: 1, two: 2 } });
    expect(answered).toEqual([{ one: 1, two: 2 }]);
    await change({ inputResponses: { one: 1, two: 2, three: 3 } });
    expect(answered).toHaveLength(2);
  });

  it.each([
    ["is cancelled", { status: "cancelled" }],
    ["is gone on with by another", { runs: 2 }],
    ["is no longer there", { ttlMs: -1 }],
  ] as const)("is told, once, where its task %s, and its questions are refused", async (_how, more) => {
    const { run, change, onCancel, left } = await start();
    const asked = expect(run.answers({ one: roots })).rejects.toThrow("The task was cancelled.");
    await turns(2);
    await change(more);
    await asked;
    expect([onCancel.mock.calls.length, left.mock.calls.length]).toEqual([1, 1]);
  });

  it("changes a task no more that another goes on with", async () => {
    const { run, change, now } = await start();
    await change({ runs: 2 });
    await run.complete({ content: [] });
    await run.fail(new McpError("internal", "No."));
    void run.answers({ one: roots });
    await turns(2);
    expect(await now()).toMatchObject({ status: "working", inputRequests: {}, revision: 2 });
  });

  it.each([true, false])("looks again where the store could not be read, with watching: %s", async (watches) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    afterThisTest(() => vi.useRealTimers());
    const { store, run, onCancel } = await start({ watches });
    const { get } = store;
    const fails = vi.fn(() => Promise.reject(new Error("The database is away.")));
    Object.assign(store, { get: fails });
    await store.replace({ ...run.task, status: "cancelled", revision: 2 }, 1);
    vi.advanceTimersByTime(100);
    await turns(3);
    expect([fails.mock.calls.length > 0, onCancel.mock.calls.length]).toEqual([true, 0]);
    Object.assign(store, { get });
    vi.advanceTimersByTime(100);
    await turns(3);
    expect([onCancel.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("looks every so often where the store tells nobody, until the task is over", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    afterThisTest(() => vi.useRealTimers());
    const { change, onCancel } = await start({ watches: false });
    expect(vi.getTimerCount()).toBe(1);
    await change({ status: "cancelled" });
    vi.advanceTimersByTime(99);
    await turns(3);
    expect(onCancel).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await turns(3);
    expect([onCancel.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
    const done = await start({ watches: false });
    await done.run.complete({ content: [] });
    expect(vi.getTimerCount()).toBe(0);
    const taken = await start({ watches: false });
    await taken.store.replace({ ...taken.run.task, status: "completed", revision: 2 }, 1);
    vi.advanceTimersByTime(100);
    await turns(3);
    expect([taken.onCancel.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe("a call that may become a task", () => {
  interface Played {
    readonly support?: TaskSupport;
    readonly run?: () => Promise<{ content: [] } | undefined>;
    readonly create?: () => never;
  }
  const result = { content: [] as [] };

  function serve({ support = "when-long", run = async () => result, create }: Played = {}) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const { store } = keeping();
    if (create !== undefined) store.create = create;
    const ids: string[] = [];
    const { create: keep } = store;
    store.create = (task, its) => (ids.push(task.taskId), keep(task, its));
    const signIn = new AbortController();
    const exchange = { principal: "ada", signedIn: signIn.signal, cancel: vi.fn(), detach: vi.fn() };
    const served = { exchange, useInputs: vi.fn(), escalate: async (): Promise<void> => undefined };
    const settings = { store, supportOf: () => support, afterMs: 500, ttlMs: 60_000, pollIntervalMs: 100 };
    const answered = serveAsTask(served as never, { name: "report" } as never, settings, call, run as never);
    const now = async (): Promise<StoredTask> => (await store.get(ids[0]!))!;
    return { answered, exchange, served, signIn, store, ids, now };
  }

  it("is answered with its result where that comes in time, and leaves no timer behind", async () => {
    const { answered, ids, exchange } = serve();
    expect(await answered).toEqual({ kind: "result", result });
    expect([ids, vi.getTimerCount(), exchange.detach.mock.calls.length]).toEqual([[], 0, 0]);
    expect(await serve({ run: async () => undefined }).answered).toBe("ask");
    await expect(serve({ run: () => Promise.reject(new Error("broken")) }).answered).rejects.toThrow("broken");
  });

  it("becomes one when it takes long, and the task gets its result", async () => {
    let end = (_result: typeof result): void => undefined;
    const { answered, ids, now, exchange, served } = serve({ run: () => new Promise((resolve) => (end = resolve)) });
    await turns(2);
    vi.advanceTimersByTime(499);
    await turns(2);
    expect(ids).toEqual([]);
    vi.advanceTimersByTime(1);
    const { createdAt, lastUpdatedAt } = (await answered, await now());
    expect(await answered).toEqual({
      kind: "task",
      fields: { taskId: ids[0], status: "working", createdAt, lastUpdatedAt, ttlMs: 60_000, pollIntervalMs: 100 },
    });
    expect([exchange.detach.mock.calls.length, served.useInputs.mock.calls.length]).toEqual([1, 1]);
    expect(await now()).toMatchObject({ owner: "ada", tool: "report" });
    end(result);
    await turns(3);
    expect(await now()).toMatchObject({ status: "completed", result });
  });

  it.each(["required", "preferred"] as const)("is one from the start where that is %s", async (support) => {
    const { answered, ids } = serve({ support });
    expect(await answered).toMatchObject({ kind: "task" });
    expect([ids.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("is refused where it must be one and the store takes none, and otherwise stays what it was", async () => {
    const create = (): never => {
      throw new Error("full");
    };
    await expect(serve({ support: "required", create }).answered).rejects.toThrow("full");
    expect(await serve({ support: "preferred", create }).answered).toEqual({ kind: "result", result });
  });

  it("becomes one when its tool wants it to, once", async () => {
    const { answered, served, ids } = serve({ run: () => new Promise(() => undefined) });
    await turns(2);
    await Promise.all([served.escalate(), served.escalate()]);
    expect(await answered).toMatchObject({ kind: "task" });
    expect(ids).toHaveLength(1);
  });

  it.each([
    [new McpError("invalidParams", "No.", { why: 1 }), { code: -32602, message: "No.", data: { why: 1 } }],
    [undefined, { code: -32603, message: "The call waits for an answer that can no longer be given." }],
  ])("fails as a task where its work ends with %s", async (thrown, error) => {
    const run = async (): Promise<undefined> => {
      await turns(1);
      if (thrown !== undefined) throw thrown;
    };
    const { answered, now } = serve({ support: "required", run });
    await answered;
    await turns(5);
    expect(await now()).toMatchObject({ status: "failed", error });
  });

  it.each([
    [new Error("broken"), "broken"],
    [new Error(""), "The server failed, without saying why."],
    ["broken", "The server failed, without saying why."],
  ])("fails as a task with what any other error says: %s", async (thrown, message) => {
    const { answered, now } = serve({ support: "required", run: () => turns(1).then(() => Promise.reject(thrown)) });
    await answered;
    await turns(5);
    expect(await now()).toMatchObject({ status: "failed", error: { code: -32603, message } });
  });

  it.each(["required", "preferred"] as const)(
    "fails as a task where that is %s and its work fails before anything waits for it",
    async (support) => {
      const { answered, now } = serve({ support, run: () => Promise.reject(new Error("broken")) });
      expect(await answered).toMatchObject({ kind: "task" });
      await turns(5);
      expect(await now()).toMatchObject({ status: "failed", error: { message: "broken" } });
    },
  );

  it("is cancelled with its task, and with the sign-in of its caller", async () => {
    const hanging = (): Promise<never> => new Promise(() => undefined);
    const cancelled = serve({ support: "required", run: hanging });
    await cancelled.answered;
    await cancelled.store.replace({ ...(await cancelled.now()), status: "cancelled", revision: 2 }, 1);
    await turns(2);
    expect(cancelled.exchange.cancel.mock.calls).toEqual([["The task was cancelled."]]);
    const ended = serve({ support: "required", run: hanging });
    await ended.answered;
    ended.signIn.abort(new Error("The API key was revoked."));
    await turns(3);
    expect(ended.exchange.cancel.mock.calls[0]).toEqual(["The API key was revoked."]);
    expect(await ended.now()).toMatchObject({ status: "cancelled", statusMessage: "The API key was revoked.", inputRequests: {} });
  });

  it("that is over as a task no longer ends with the sign-in", async () => {
    const { answered, signIn, now, exchange } = serve({ support: "required" });
    await answered;
    await turns(3);
    signIn.abort(new Error("The API key was revoked."));
    await turns(3);
    expect([(await now()).status, exchange.cancel.mock.calls]).toEqual(["completed", []]);
  });
});
