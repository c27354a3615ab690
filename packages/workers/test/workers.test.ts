import { type AnyTool, createRegistry, createMemorySecrets, defineTool, type Registry, type RegistryOptions } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createIdentity, serveWorker, type Worker, type WorkerOptions, workerSource, type WorkerSource } from "../src/index.ts";
import { type Broker, linkKinds } from "./_links.ts";

const server = createIdentity();
const worker = createIdentity();
const object = { type: "object", additionalProperties: true } as const;

const tool = (name: string, handler: (input: Record<string, unknown>, context: never) => unknown, more: object = {}): AnyTool =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: object, ...more, handler: handler as never });

interface Started {
  readonly registry: Registry;
  readonly source: WorkerSource;
  readonly broker: Broker;
  start(tools: readonly AnyTool[], options?: Partial<WorkerOptions>): Promise<Worker>;
}

async function open(kind: (typeof linkKinds)[number], options: RegistryOptions = {}): Promise<Started> {
  const broker = await kind.open();
  const source = workerSource({ link: await broker.connect(), pool: "web", privateKey: server.privateKey, workers: [worker.publicKey] });
  const registry = createRegistry(options);
  afterThisTest(() => registry.close());
  return {
    registry,
    source,
    broker,
    async start(tools, more) {
      const started = await serveWorker({
        link: await broker.connectWorker(worker),
        tools,
        pool: "web",
        privateKey: worker.privateKey,
        servers: [server.publicKey],
        ...more,
      });
      afterThisTest(() => started.close());
      return started;
    },
  };
}

describe.each(linkKinds)("workers over $name", (kind) => {
  const test = it.skipIf(!kind.isThere);

  test("run the handler elsewhere, and the call is the registry's", async () => {
    const { registry, source, start } = await open(kind);
    await start([
      tool("double", ({ n }) => ({ doubled: Number(n) * 2 }), {
        inputSchema: { ...object, properties: { n: { type: "number" } }, required: ["n"] },
      }),
    ]);
    await registry.addSource(source);
    expect(await registry.invoke("double", { n: 21 })).toMatchObject({ ok: true, data: { doubled: 42 } });
    expect(await registry.invoke("double", {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(source.workers()).toMatchObject([{ key: worker.publicKey, state: "open", slots: 4, tools: 1 }]);
  });

  test("answer secrets, calls, questions, progress and log through the server", async () => {
    const lines: unknown[] = [];
    const log = { debug() {}, warn() {}, error() {}, info: (message: string, fields: unknown) => void lines.push([message, fields]) };
    const { registry, source, start } = await open(kind, {
      secrets: createMemorySecrets({ token: "s3cret-value" }),
      approver: { ask: async ({ message }) => ({ action: "accept", value: { said: message } }) },
      log: log as never,
    });
    registry.register(tool("inner", ({ x }) => `inner ${String(x)}`));
    await start([
      tool(
        "asks",
        async (
          _,
          context: {
            secret(name: string): Promise<string>;
            call(tool: string, input: unknown): Promise<{ content: string }>;
            ask(request: object): Promise<unknown>;
            progress(update: object): void;
            log: { info(message: string, fields: object): void };
            caller: object;
          },
        ) => {
          context.progress({ progress: 1, total: 2 });
          context.log.info("working", { at: 1 });
          const hidden = await context.secret("other").catch((error: Error & { code?: string }) => error.code);
          return {
            length: (await context.secret("token")).length,
            hidden,
            inner: (await context.call("inner", { x: 1 })).content,
            answer: await context.ask({ message: "Sure?", schema: { type: "object" } }),
            caller: context.caller,
          };
        },
        { metadata: { secrets: ["token"] } },
      ),
    ]);
    await registry.addSource(source);
    const updates: unknown[] = [];
    const result = await registry.invoke("asks", {}, { caller: { agent: "ada" }, onProgress: (update) => void updates.push(update) });
    expect(result).toMatchObject({
      ok: true,
      data: { length: 12, hidden: "SECRET_MISSING", inner: "inner 1", answer: { action: "accept" }, caller: { agent: "ada" } },
    });
    expect(updates).toContainEqual(expect.objectContaining({ progress: 1, total: 2 }));
    expect(lines).toContainEqual(["working", expect.objectContaining({ at: 1 })]);
  });

  test("tell errors, streams and results that are too large for what they are", async () => {
    const { registry, source, start } = await open(kind);
    await start([
      tool("fails", () => {
        throw new Error("no luck");
      }),
      tool("streams", async function* () {
        yield "a";
        yield "b";
      }),
      tool("large", () => "x".repeat(2_000_000)),
      tool("claims", () => {
        throw Object.assign(new Error("approve me"), { code: "APPROVAL_REQUIRED" });
      }),
    ]);
    await registry.addSource(source);
    expect(await registry.invoke("fails", {})).toMatchObject({ ok: false, code: "TOOL_FAILED", error: expect.stringContaining("no luck") });
    const home = createRegistry();
    home.register(
      tool("streams", async function* () {
        yield "a";
        yield "b";
      }),
    );
    const [there, here] = [await registry.invoke("streams", {}), await home.invoke("streams", {})];
    expect({ ...there, meta: 0 }).toEqual({ ...here, meta: 0 });
    expect(await registry.invoke("large", {})).toMatchObject({ ok: false, code: "RESULT_TOO_LARGE" });
    expect(await registry.invoke("claims", {})).toMatchObject({ ok: false, code: "TOOL_FAILED" });
  });

  test("stop a call that its caller cancelled", async () => {
    const { registry, source, start } = await open(kind);
    let [hasBegun, aborted] = [false, false];
    const one = await start([
      tool("waits", (_, context: { signal: AbortSignal }) => {
        hasBegun = true;
        return new Promise((resolve) => context.signal.addEventListener("abort", () => ((aborted = true), resolve("late"))));
      }),
    ]);
    await registry.addSource(source);
    const controller = new AbortController();
    const call = registry.invoke("waits", {}, { signal: controller.signal });
    await until(() => hasBegun);
    controller.abort();
    expect(await call).toMatchObject({ ok: false, code: "ABORTED" });
    await until(() => aborted && one.running === 0);
  });

  test("tell a lost worker, and run again only what may be run again", async () => {
    const { registry, source, start, broker } = await open(kind);
    const started: string[] = [];
    const slow = (name: string, on: string, idempotent: boolean): AnyTool =>
      tool(name, () => (started.push(`${name} ${on}`), on === "first" ? new Promise(() => {}) : `done by ${on}`), {
        metadata: { annotations: { idempotent } },
      });
    const tools = (on: string): AnyTool[] => [slow("once", on, false), slow("often", on, true)];
    const link = await broker.connectWorker(worker);
    await start(tools("first"), { link });
    await registry.addSource(source);
    const calls = Promise.all([registry.invoke("once", {}), registry.invoke("often", {})]);
    await until(() => started.length === 2);
    await start(tools("second"));
    await until(() => source.workers().length === 2);
    await link.close();
    const [once, often] = await calls;
    expect(once).toMatchObject({ ok: false, code: "WORKER_LOST", retryable: false });
    expect(often).toMatchObject({ ok: true, content: "done by second" });
    expect(started.sort()).toEqual(["often first", "often second", "once first"]);
  });

  test("take no more calls while they drain, and lose none", async () => {
    const { registry, source, start } = await open(kind);
    const slow = tool("slow", () => turns(3).then(() => "done"));
    const first = await start([slow], { slots: 2 });
    await start([slow], { slots: 2 });
    await registry.addSource(source);
    await until(() => source.workers().length === 2);
    const calls = Promise.all(Array.from({ length: 40 }, () => registry.invoke("slow", {})));
    await until(() => first.running > 0);
    expect(source.drain(first.instance)).toBe(true);
    await first.ended;
    expect((await calls).filter(({ ok }) => !ok)).toEqual([]);
    await until(() => source.workers().length === 1);
    expect(source.drain(first.instance)).toBe(false);
  });

  test("answer at once that there is no worker, and leave the list after the grace", async () => {
    let now = Date.now();
    const broker = await kind.open();
    const source = workerSource({
      link: await broker.connect(),
      pool: "web",
      privateKey: server.privateKey,
      workers: [worker.publicKey],
      graceMs: 60_000,
      silentMs: 1e9,
      now: () => now,
    });
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    const one = await serveWorker({
      link: await broker.connectWorker(worker),
      tools: [tool("here", () => "yes")],
      pool: "web",
      privateKey: worker.privateKey,
      servers: [server.publicKey],
    });
    await registry.addSource(source);
    await one.close();
    await until(() => source.workers().length === 0);
    expect(await registry.invoke("here", {})).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE", retryable: true });
    now += 60_001;
    await registry.refreshSource("workers:web");
    expect(await registry.invoke("here", {})).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
  });

  test("run no definition but the one that was offered; a newer one is listed", async () => {
    const { registry, source, start } = await open(kind);
    const old = await start([tool("say", () => "old", { description: "Says it the old way." })]);
    await registry.addSource(source);
    const newer = await start([tool("say", () => "new", { description: "Says it the new way." })], { now: () => Date.now() + 1_000 });
    await until(() => registry.get("say")?.description === "Says it the new way.");
    for (let round = 0; round < 5; round++) expect(await registry.invoke("say", {})).toMatchObject({ ok: true, content: "new" });
    await newer.close();
    await until(() => registry.get("say")?.description === "Says it the old way.");
    expect(await registry.invoke("say", {})).toMatchObject({ ok: true, content: "old" });
    expect(old.state).toBe("open");
  });

  test("give callers their turns one after the other, however many calls each has", async () => {
    const { registry, source, start } = await open(kind);
    const order: string[] = [];
    await start(
      [tool("turn", async (_, context: { caller: { agent: string } }) => (order.push(context.caller.agent), turns(2).then(() => "ok")))],
      { slots: 1 },
    );
    await registry.addSource(source);
    const calls = [...Array.from({ length: 20 }, () => "flood"), "small", "small"].map((agent) =>
      registry.invoke("turn", {}, { caller: { agent } }),
    );
    await Promise.all(calls);
    expect(order.filter((agent) => agent === "small")).toHaveLength(2);
    expect(order.lastIndexOf("small")).toBeLessThan(8);
  });
});
