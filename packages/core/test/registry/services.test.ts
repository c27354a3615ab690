import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { BaseTool } from "../../src/tool/base-tool.ts";
import type { CallContext } from "../../src/tool/context.ts";
import type { ToolResult } from "../../src/tool/result.ts";
import { defineTool } from "../../src/tool/tool.ts";

/** A database that counts its sessions and notes how each ended. */
function createFakeDatabase() {
  const log: string[] = [];
  let opened = 0;
  return {
    log,
    open: () => ({ id: ++opened, query: (text: string) => `session ${opened}: ${text}` }),
    close: (session: { id: number }, result: ToolResult) =>
      void log.push(`${session.id} ${result.ok ? "commit" : `rollback ${result.code}`}`),
  };
}

type Session = ReturnType<ReturnType<typeof createFakeDatabase>["open"]>;

describe("services", () => {
  it("are one value for all calls where a value was given, and nobody closes it", async () => {
    const close = vi.fn<() => void>();
    const shared = { clock: "one", [Symbol.dispose]: close };
    const registry = createRegistry({ services: shared });
    registry.register(fakeTool({ handler: (_, { services }) => (services === shared ? "the same" : "another") }));
    expect(await registry.invoke("echo", {})).toMatchObject({ content: "the same" });
    expect(await registry.invoke("echo", {})).toMatchObject({ content: "the same" });
    expect(close).not.toHaveBeenCalled();
  });

  it("are typed for the handler", () => {
    defineTool({
      name: "query",
      description: "Asks the database.",
      inputSchema: { type: "object" },
      handler: (_, context: CallContext<Session>) => {
        expectTypeOf(context.services.id).toEqualTypeOf<number>();
        return context.services.query("select 1");
      },
    });
    createRegistry<Session>({
      services: createFakeDatabase().open,
      closeServices: (session) => void expectTypeOf(session).toEqualTypeOf<Session>(),
    });
  });

  it("are opened for each call with its id, tool and caller, and closed with its result", async () => {
    const database = createFakeDatabase();
    const requests: unknown[] = [];
    const registry = createRegistry<Session>({
      services: (request) => {
        requests.push(request);
        return database.open();
      },
      closeServices: database.close,
    });
    registry.register(fakeTool({ handler: (_, { services }) => String(services.id) }));
    expect(await registry.invoke("echo", {}, { callId: "c-1", caller: { agent: "ada" } })).toMatchObject({ content: "1" });
    expect(await registry.invoke("Echo", {}, { callId: "c-2" })).toMatchObject({ content: "2" });
    expect(requests).toEqual([
      { callId: "c-1", tool: "echo", caller: { agent: "ada" } },
      { callId: "c-2", tool: "echo", caller: {} },
    ]);
    expect(database.log).toEqual(["1 commit", "2 commit"]);
  });

  // row: F2
  it("are each call's own where two calls run at once", async () => {
    const database = createFakeDatabase();
    const registry = createRegistry<Session>({ services: async () => (await settle(), database.open()), closeServices: database.close });
    registry.register(
      fakeTool({
        handler: async (_, context) => {
          const first = context.services.id;
          await settle();
          return context.services.id === first ? `kept ${first}` : "mixed up";
        },
      }),
    );
    const results = await registry.callAll([
      { name: "echo", input: {} },
      { name: "echo", input: {} },
    ]);
    expect(results.map((result) => result.ok && result.content).sort()).toEqual(["kept 1", "kept 2"]);
    expect(database.log.sort()).toEqual(["1 commit", "2 commit"]);
  });

  // row: F2
  it("are a class tool's session, and can be a mock", async () => {
    class Count extends BaseTool<object, { count(): number }> {
      readonly name = "count";
      readonly description = "Counts.";
      readonly parametersSchema = { type: "object" };
      execute(session: { count(): number }): { success: boolean; data: number } {
        return { success: true, data: session.count() };
      }
    }
    const registry = createRegistry({ services: () => ({ count: () => 7 }) });
    registry.register(new Count());
    expect(await registry.invoke("count", {})).toMatchObject({ ok: true, data: 7 });
  });

  it("are closed when the handler fails, runs out of time or is cancelled", async () => {
    const database = createFakeDatabase();
    const clock = createFakeClock();
    const registry = createRegistry<Session>({ clock, services: database.open, closeServices: database.close });
    const fail = (): never => {
      throw new Error("no");
    };
    registry.register(fakeTool({ name: "throws", handler: fail }));
    registry.register(fakeTool({ name: "hangs", handler: () => new Promise(() => {}) }));
    await registry.invoke("throws", {});
    const timedOut = registry.invoke("hangs", {}, { timeoutMs: 10 });
    await clock.advance(10);
    await timedOut;
    const controller = new AbortController();
    const cancelled = registry.invoke("hangs", {}, { signal: controller.signal });
    controller.abort();
    await cancelled;
    await registry.invoke("throws", {}, { signal: AbortSignal.abort() });
    expect(database.log).toEqual(["1 rollback TOOL_FAILED", "2 rollback TIMEOUT", "3 rollback ABORTED", "4 rollback ABORTED"]);
  });

  it("are neither opened nor closed for a call that is refused", async () => {
    const [open, close] = [vi.fn<() => object>(() => ({})), vi.fn<() => void>()];
    const registry = createRegistry({ services: open, closeServices: close, hooks: { before: [() => ({ block: "No." })] } });
    registry.register(fakeTool());
    expect(await registry.invoke("nothing", {})).toMatchObject({ code: "TOOL_NOT_FOUND" });
    expect(await registry.invoke("echo", { text: 5 })).toMatchObject({ code: "INPUT_INVALID" });
    expect(await registry.invoke("echo", {})).toMatchObject({ code: "BLOCKED" });
    expect(open).not.toHaveBeenCalled();
    expect(close).not.toHaveBeenCalled();
  });

  it.each([
    ["throws", () => expect.fail("the database is down")],
    ["rejects", () => Promise.reject(new Error("the database is down"))],
  ])("that cannot be opened (%s) fail the call, and nothing is closed", async (_, open) => {
    const close = vi.fn<() => void>();
    const registry = createRegistry({ services: open, closeServices: close });
    registry.register(fakeTool());
    const result = await registry.invoke("echo", {});
    expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", meta: { tool: "echo" } });
    expect(!result.ok && result.error).toContain("the database is down");
    expect(close).not.toHaveBeenCalled();
  });

  it("that cannot be closed leave the result as it is, with a warning", async () => {
    const registry = createRegistry({ services: () => ({}), closeServices: () => Promise.reject(new Error("connection lost")) });
    registry.register(fakeTool());
    expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({
      ok: true,
      content: "hi",
      meta: { warnings: ["Closing the services failed. The log says why."] },
    });
  });

  it("close themselves where nobody says how: at once or later", async () => {
    const log: string[] = [];
    const services = [
      { [Symbol.asyncDispose]: async () => (await settle(), void log.push("later")) },
      { [Symbol.dispose]: () => void log.push("at once") },
      { neither: true },
      "a text",
    ];
    const registry = createRegistry({ services: () => services.shift() });
    registry.register(fakeTool());
    for (let call = 0; call < 4; call++) expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({ ok: true });
    expect(log).toEqual(["later", "at once"]);
  });

  it("are opened anew for a tool that a tool calls, and closed from the inside out", async () => {
    const database = createFakeDatabase();
    const registry = createRegistry<Session>({ services: database.open, closeServices: database.close });
    registry.register(fakeTool({ name: "inner", handler: (_, { services }) => String(services.id) }));
    registry.register(fakeTool({ name: "outer", handler: async (_, context) => (await context.call("inner", {})) as never }));
    expect(await registry.invoke("outer", {})).toMatchObject({ content: "2" });
    expect(database.log).toEqual(["2 commit", "1 commit"]);
  });
});
