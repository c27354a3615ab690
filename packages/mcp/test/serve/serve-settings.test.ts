import { type Caller, createRegistry, defineTool } from "@toolrack/core";
import { createMemoryTaskStore, type McpEndpoint, type McpVisit, serveMcp, type ServeMcpOptions } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createMemorySessionStore } from "../../src/serve/http/sessions/memory-session-store.ts";
import { signInEnded } from "../../src/serve/sign-in-ended.ts";
import { startTask } from "../../src/serve/tasks/task-run.ts";
import { clientMeta, nothing } from "./serve.ts";

const tool = (name: string, handler: () => unknown = () => "here") =>
  defineTool({ name, description: "For tests.", inputSchema: nothing, handler: handler as () => string });

function open(options: ServeMcpOptions = {}, tools = [tool("echo")]): McpEndpoint {
  const registry = createRegistry();
  for (const one of tools) registry.register(one);
  const endpoint = serveMcp(registry, options);
  afterThisTest(() => endpoint.close());
  return endpoint;
}

async function ask(
  endpoint: McpEndpoint,
  method: string,
  params: Record<string, unknown> = {},
  visit?: McpVisit,
): Promise<Record<string, any>> {
  const name = params["name"] ?? params["uri"] ?? params["taskId"];
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": name }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: clientMeta } });
  const response = await endpoint.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }), visit);
  return (await response.json()) as Record<string, any>;
}

describe("the options of serveMcp", () => {
  it("name the server, its version and its instructions, with what one caller is told", async () => {
    const plain = (await ask(open(), "server/discover"))["result"];
    expect(plain._meta["io.modelcontextprotocol/serverInfo"]).toEqual({ name: "toolrack", version: "0.0.0" });
    expect([plain.instructions, plain.cacheScope, plain.ttlMs]).toEqual([undefined, "public", 5_000]);
    const named = open({
      name: "mine",
      version: "2.0.0",
      instructions: "Be\u200B kind.",
      ttlMs: 7,
      notice: ({ agent }) => (agent === "ada" ? "You may\u200B use nothing." : undefined),
    });
    const forAll = (await ask(named, "server/discover"))["result"];
    expect(forAll._meta["io.modelcontextprotocol/serverInfo"]).toEqual({ name: "mine", version: "2.0.0" });
    expect([forAll.instructions, forAll.cacheScope, forAll.ttlMs]).toEqual(["Be kind.", "public", 7]);
    const forOne = (await ask(named, "server/discover", {}, { caller: { agent: "ada" } }))["result"];
    expect([forOne.instructions, forOne.cacheScope]).toEqual(["Be kind.\n\nYou may use nothing.", "private"]);
    const onlyNotice = open({ notice: () => "Hello." });
    expect((await ask(onlyNotice, "server/discover"))["result"].instructions).toBe("Hello.");
  });

  it("set the size of pages, of tools as of prompts and resources", async () => {
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
    const endpoint = open(
      {
        pageSize: 2,
        prompts: texts(3).map((name) => ({ name, description: "A prompt.", get: () => "Hello." })) as never,
        resources: texts(3).map((name) => ({ uri: `a://${name}`, name, read: () => "x" })) as never,
      },
      texts(3).map((name) => tool(name)),
    );
    for (const [method, field] of [
      ["tools/list", "tools"],
      ["prompts/list", "prompts"],
      ["resources/list", "resources"],
    ] as const) {
      const { result } = await ask(endpoint, method);
      expect([method, result[field].length, typeof result.nextCursor]).toEqual([method, 2, "string"]);
    }
  });

  it("set the length from which results are read page by page", async () => {
    const long = tool("long", () => "x".repeat(3_000));
    const { result } = await ask(open({ resultPageLength: 1_024 }, [long]), "tools/call", { name: "long", arguments: {} });
    expect(JSON.stringify(result)).toContain("toolrack://results/");
    expect(JSON.stringify(await ask(open({}, [long]), "tools/call", { name: "long", arguments: {} }))).not.toContain("toolrack://results/");
  });

  it("set what becomes a task, how long it is kept and how often it is asked for", async () => {
    const tasks = createMemoryTaskStore();
    const settings = { tasks, taskSupport: () => "required" as const, taskTtlMs: 12_345, taskPollMs: 67 };
    const { result } = await ask(open(settings), "tools/call", { name: "echo", arguments: {} });
    expect(result).toMatchObject({ resultType: "task", ttlMs: 12_345, pollIntervalMs: 67, taskId: expect.stringMatching(/^[\w-]{32}$/) });
    await until(async () => (await tasks.get(result.taskId))?.status === "completed");
    const never = open({ taskSupport: () => "never", taskAfterMs: 1 });
    expect((await ask(never, "tools/call", { name: "echo", arguments: {} }))["result"].resultType).toBe("complete");
  });

  it("set the limits of a message", async () => {
    const small = open({ maxBodyBytes: 100 });
    expect((await ask(small, "tools/list"))["error"].message).toContain("larger than 100 bytes");
    const few = open({ maxBodyValues: 3 });
    expect((await ask(few, "tools/list"))["error"]).toBeDefined();
  });

  it("of a visit tell the status of the answer and the method, and name who visits", async () => {
    const told: unknown[] = [];
    const who = defineTool({
      name: "who",
      description: "For tests.",
      inputSchema: nothing,
      handler: (_input, { caller }) => caller as never,
    });
    const endpoint = open({}, [who as never]);
    const caller: Required<Caller> = {
      agent: "ada",
      principal: "key ada",
      acting: true,
      provider: "openai",
      model: "m",
      channel: "c",
      group: "g",
      sender: "s",
      owner: false,
      tenant: "t",
      session: "1",
      run: "r",
      subagentDepth: 0,
      sandboxed: false,
      phase: "p",
      roles: ["curator"],
      inherited: ["who"],
    };
    const visit = {
      caller,
      onAnswer: (status: number) => void told.push(status),
      onMessage: ({ method }: { readonly method: string }) => void told.push(method),
      onResult: (error: string | undefined) => void told.push(error ?? "no error"),
    };
    const { result } = await ask(endpoint, "tools/call", { name: "who", arguments: {} }, visit);
    expect(told).toEqual(["tools/call", "no error", 200]);
    expect(JSON.parse(result.content[0].text)).toEqual(caller);
    expect(
      JSON.parse((await ask(endpoint, "tools/call", { name: "who", arguments: {} }, { principal: "p" }))["result"].content[0].text),
    ).toEqual({});
  });

  it("are let go of when the endpoint closes: sessions, streams and listeners", async () => {
    const store = createMemorySessionStore();
    let listeners = 0;
    const { subscribe } = store;
    store.subscribe = (listener) => {
      listeners++;
      const leave = subscribe(listener);
      return () => (listeners--, leave());
    };
    const endpoint = open({ sessionStore: store });
    expect(listeners).toBe(2);
    const stream = await endpoint.fetch(new Request("http://localhost/mcp", { headers: { accept: "text/event-stream" } }));
    expect(endpoint.usage).toEqual({ sessions: 0, streams: 1 });
    await endpoint.close();
    await stream.text();
    expect([listeners, endpoint.usage]).toEqual([0, { sessions: 0, streams: 0 }]);
  });

  it("do not end a stream whose reader is slow before much waits for it", async () => {
    const endpoint = open();
    const stream = await endpoint.fetch(new Request("http://localhost/mcp", { headers: { accept: "text/event-stream" } }));
    for (let count = 0; count < 2_000; count++) endpoint.notify.promptsChanged();
    expect(endpoint.usage.streams).toBe(1);
    await endpoint.close();
    expect((await stream.text()).match(/prompts\/list_changed/g)).toHaveLength(2_000);
  });
});

describe("the end of a sign-in", () => {
  it("is told by its reason, or by the fact", () => {
    expect(signInEnded(AbortSignal.abort(new Error("The API key was revoked.")))).toBe("The API key was revoked.");
    for (const signal of [AbortSignal.abort("gone"), undefined, new AbortController().signal])
      expect(signInEnded(signal)).toBe("The sign-in has ended.");
  });
});

describe("the work of a task", () => {
  const begin = async (store = createMemoryTaskStore()) => {
    const cancels: string[] = [];
    const run = await startTask({
      store,
      owner: "ada",
      tool: "echo",
      call: { callId: "call-1", input: {}, caller: {} },
      ttlMs: 60_000,
      pollIntervalMs: 5,
      onCancel: () => void cancels.push("cancel"),
    });
    const now = async () => (await store.get(run.task.taskId))!;
    return { store, run, cancels, now };
  };
  const question = { one: { method: "roots/list", params: {} } } as never;

  it("is stored at once, and ends with its result or its error", async () => {
    const { run, now } = await begin();
    expect(await now()).toBe(run.task);
    expect(run.task).toMatchObject({
      owner: "ada",
      tool: "echo",
      status: "working",
      ttlMs: 60_000,
      pollIntervalMs: 5,
      revision: 1,
      inputRequests: {},
      inputResponses: {},
    });
    expect(run.task.createdAt).toBe(run.task.lastUpdatedAt);
    await run.complete({ content: [] });
    expect(await now()).toMatchObject({ status: "completed", result: { content: [] } });
    const failing = await begin();
    await failing.run.fail({ code: -32603, message: "It broke." } as never);
    expect((await failing.now()).error).toEqual({ code: -32603, message: "It broke." });
  });

  it.each(["with", "without"])("asks its questions, and goes on with all answers, %s a store that tells of changes", async (how) => {
    const { watch: _, ...silent } = createMemoryTaskStore();
    const { store, run, now, cancels } = await begin(how === "with" ? undefined : silent);
    const answers = run.answers(question);
    await until(async () => (await now()).status === "input_required");
    const task = await now();
    expect(task.inputRequests).toEqual(question);
    await store.replace({ ...task, inputResponses: { other: 1 }, revision: task.revision + 1 }, task.revision);
    await store.replace({ ...task, inputResponses: { one: { roots: [] } }, revision: task.revision + 2 }, task.revision + 1);
    expect(await answers).toEqual({ one: { roots: [] } });
    await run.complete({ content: [] });
    expect([await now(), cancels]).toMatchObject([{ status: "completed", inputRequests: {}, inputResponses: {} }, []]);
  });

  it("ends, and changes the task no more, when something else goes on with it", async () => {
    const { store, run, now, cancels } = await begin();
    const task = await now();
    await store.replace({ ...task, runs: 2, revision: task.revision + 1 }, task.revision);
    await until(() => cancels.length === 1);
    await run.complete({ content: [] });
    expect(await now()).toEqual({ ...task, runs: 2, revision: task.revision + 1 });
  });

  it("ends, and refuses to wait on, when the task is cancelled", async () => {
    const { store, run, now, cancels } = await begin();
    const answers = run.answers(question);
    answers.catch(() => undefined);
    await until(async () => (await now()).status === "input_required");
    const task = await now();
    for (const step of [1, 2])
      await store.replace({ ...task, status: "cancelled", revision: task.revision + step }, task.revision + step - 1);
    await expect(answers).rejects.toThrow("The task was cancelled.");
    expect(cancels).toEqual(["cancel"]);
  });
});
