import { describe, expect, it } from "vitest";
import { createMemoryConfig } from "../../src/call/ports/config.ts";
import { createMemorySecrets } from "../../src/call/ports/secrets.ts";
import type { ApprovalRequest } from "../../src/call/ports/approver.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import type { CallContext, Caller, Logger } from "../../src/tool/context.ts";
import { defineTool } from "../../src/tool/tool.ts";

const secret = "s3cret-4711";
const anyObject = { type: "object" } as const;

describe("an idempotency key", () => {
  it("is not shared by callers of a class, whose facts are inherited", async () => {
    class User {
      readonly #agent: string;
      constructor(agent: string) {
        this.#agent = agent;
      }
      get agent(): string {
        return this.#agent;
      }
    }
    const registry = createRegistry();
    registry.register(
      defineTool({
        name: "mail",
        description: "Reads mail.",
        inputSchema: anyObject,
        handler: (_, { caller }) => `mail of ${caller.agent}`,
      }),
    );
    const mailOf = async (agent: string): Promise<unknown> => {
      const result = await registry.invoke("mail", {}, { caller: new User(agent) as Caller, idempotencyKey: "k" });
      return result.ok && result.content;
    };
    expect(await mailOf("alice")).toBe("mail of alice");
    expect(await mailOf("bob")).toBe("mail of bob");
  });

  it("gives no earlier answer for a call that would be refused by now", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "read" }));
    const call = (): Promise<unknown> => registry.invoke("read", { text: "salaries" }, { idempotencyKey: "k" });
    expect(await call()).toMatchObject({ ok: true });
    registry.disable("read", "It is being repaired.");
    expect(await call()).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    registry.enable("read");
    expect(await call()).toMatchObject({ ok: true });
    registry.setPolicy(readPolicyConfig({ tools: { conditions: [{ tool: "read", deny: 'input.text == "salaries"' }] } }));
    expect(await call()).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["read"] } }));
    expect(await call()).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });
});

describe("what a person approves is what runs", () => {
  it("also if the caller or the approver changes the arguments in the meantime", async () => {
    const input = { amount: 1, to: { name: "bob" } };
    const asked: unknown[] = [];
    const registry = createRegistry({
      policy: readPolicyConfig({ tools: { ask: ["pay"] } }),
      approver: {
        ask(question: ApprovalRequest) {
          asked.push(structuredClone(question.input));
          input.amount = 1_000_000;
          input.to.name = "mallory";
          (question.input as typeof input).to.name = "eve";
          return Promise.resolve({ action: "accept" as const });
        },
      },
    });
    registry.register(fakeTool({ name: "pay", inputSchema: anyObject, handler: (given: unknown) => ({ ran: given }) }));
    expect(await registry.invoke("pay", input)).toMatchObject({ ok: true, data: { ran: { amount: 1, to: { name: "bob" } } } });
    expect(asked).toEqual([{ amount: 1, to: { name: "bob" } }]);
  });

  it("also for an argument that is another one each time it is read", async () => {
    let reads = 0;
    const registry = createRegistry({
      policy: readPolicyConfig({ tools: { conditions: [{ tool: "read", deny: 'input.path != "a.txt"' }] } }),
    });
    registry.register(fakeTool({ name: "read", inputSchema: anyObject, handler: ({ path }: { path: string }) => path }));
    const input = {
      get path(): string {
        return reads++ <= 1 ? "a.txt" : "/etc/shadow"; // one read to measure the input, and one to copy it
      },
    };
    expect(await registry.invoke("read", input)).toMatchObject({ ok: true, content: "a.txt" });
  });
});

describe("a secret stays with the handler", () => {
  const withSecret = (handler: (context: CallContext, input: unknown) => unknown, more: object = {}) => {
    const registry = createRegistry({ secrets: createMemorySecrets({ key: secret }), ...more });
    registry.register(
      defineTool({
        name: "pay",
        description: "Pays.",
        inputSchema: { type: "object", properties: { token: { type: "string" } } },
        metadata: { secrets: ["key"] },
        handler: (input, context) => handler(context, input) as string,
      }),
    );
    return registry;
  };

  it("when it asks a person", async () => {
    const asked: ApprovalRequest[] = [];
    const registry = withSecret(
      async ({ ask, secret: read }) => {
        await ask({ message: `Use ${await read("key")}?` });
        return "asked";
      },
      {
        config: createMemoryConfig({ pay: { token: "secret:key" } }),
        approver: { ask: (question: ApprovalRequest) => (asked.push(question), Promise.resolve({ action: "accept" })) },
      },
    );
    expect(await registry.invoke("pay", {})).toMatchObject({ ok: true, content: "asked" });
    expect(asked).toMatchObject([{ message: "Use [redacted]?", input: { token: "secret:key" } }]);
  });

  it("when it is logged in an error, its cause, a Map, a Set or headers", async () => {
    const lines: unknown[] = [];
    const write: Logger["info"] = (_message, fields) => void lines.push(fields);
    const log: Logger = { debug: write, info: write, warn: write, error: write };
    const registry = withSecret(
      async ({ secret: read, log: own }) => {
        const value = await read("key");
        const error = new Error(`401 for ${value}`, { cause: new Error(value) });
        own.error("m", { error, map: new Map([["a", value]]), keys: new Map([[value, 1]]), set: new Set([value]) });
        own.error("m", { headers: new Headers({ authorization: `Bearer ${value}` }) });
        return "done";
      },
      { log },
    );
    expect(await registry.invoke("pay", {})).toMatchObject({ ok: true });
    expect(lines).toMatchObject([
      {
        error: { name: "Error", message: "401 for [redacted]", cause: { message: "[redacted]" } },
        map: { a: "[redacted]" },
        keys: { "[redacted]": 1 },
        set: { 0: "[redacted]" },
      },
      { headers: { authorization: "Bearer [redacted]" } },
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it("in every part of a result", async () => {
    const registry = withSecret(async ({ secret: read }) => {
      const value = await read("key");
      return {
        content: "paid",
        blocks: [
          { type: "text", text: "paid", _meta: { deep: [value] } },
          { type: "audio", data: "AAAA", mimeType: `audio/${value}`, annotations: { note: value } },
        ],
        effects: [{ kind: "payment", target: { account: value } }],
      };
    });
    const result = await registry.invoke("pay", {});
    expect(result.ok).toBe(true);
    expect(JSON.stringify(result)).not.toContain("4711");
  });

  it("in what is said of the calls that it makes, and in warnings about the end of the call", async () => {
    const registry = withSecret(async ({ secret: read, call }) => {
      const value = await read("key");
      await call(value, {});
      return "done";
    });
    const events: unknown[] = [];
    registry.subscribe((event) => void events.push(event));
    await registry.invoke("pay", {});
    expect(events.length).toBeGreaterThan(3);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it("also one line of a key that has several", async () => {
    const pem = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7\n-----END KEY-----";
    const registry = createRegistry({ secrets: createMemorySecrets({ key: pem }) });
    registry.register(
      defineTool({
        name: "sign",
        description: "Signs.",
        inputSchema: anyObject,
        metadata: { secrets: ["key"] },
        handler: async (_, context) => `parsing failed at ${(await context.secret("key")).split("\n")[1]}`,
      }),
    );
    expect(await registry.invoke("sign", {})).toMatchObject({ ok: true, content: "parsing failed at [redacted]" });
  });
});

describe("a result cannot stall the process:", () => {
  const returning = async (value: () => unknown, limits: { timeoutMs?: number } = {}): Promise<unknown> => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "big", handler: value, metadata: { limits } }));
    return registry.invoke("big", {});
  };
  const shared = (): unknown => {
    let value: unknown = { leaf: true };
    for (let level = 0; level < 60; level++) value = { a: value, b: value };
    return value;
  };
  const message = expect.stringContaining("has more than 1,000,000 values, or too much text; return less") as string;

  it("shared references in many levels", async () => {
    expect(await returning(shared)).toMatchObject({ ok: false, code: "RESULT_INVALID", error: message });
    expect(await returning(() => new Map([["m", shared()]]))).toMatchObject({ ok: false, code: "RESULT_INVALID", error: message });
    expect(await returning(() => Promise.reject(shared() as Error))).toMatchObject({ error: "The tool threw an object." });
  });

  it("a list with gaps, an endless Set, and more text than anyone reads", async () => {
    const sparse: unknown[] = [];
    sparse[3_000_000_000] = "x";
    class Endless extends Set<number> {
      override *[Symbol.iterator](): SetIterator<number> {
        for (let next = 0; ; next++) yield next;
      }
    }
    const text = "x".repeat(50_000_000);
    expect(await returning(() => sparse)).toMatchObject({ code: "RESULT_INVALID", error: message });
    expect(await returning(() => new Endless())).toMatchObject({ code: "RESULT_INVALID", error: message });
    expect(await returning(() => new Float64Array(2_000_000))).toMatchObject({ code: "RESULT_INVALID", error: message });
    expect(await returning(() => ({ a: text, b: text }))).toMatchObject({ code: "RESULT_INVALID", error: message });
  });

  it("the reasons of a failed fetch that contain each other", async () => {
    let cause: object = new Error("refused");
    for (let level = 0; level < 60; level++) cause = { errors: [cause, cause, cause, cause] };
    const failing = (): unknown => Promise.reject(new TypeError("fetch failed", { cause }));
    expect(await returning(failing)).toMatchObject({ code: "TOOL_FAILED", error: "fetch failed" });
  });

  it("a stream that never waits: its time limit ends it", async () => {
    const endless = async function* (): AsyncGenerator<unknown> {
      for (;;) yield { progress: 1 };
    };
    expect(await returning(endless, { timeoutMs: 100 })).toMatchObject({ ok: false, code: "TIMEOUT" });
  });
});

describe("a call that waits for something other than its handler", () => {
  const never = (): Promise<never> => new Promise(() => {});

  it.each([
    ["services", { services: never }],
    ["configuration", { config: { get: never } }],
  ])("is ended by its time limit, and by its caller: %s", async (_, options) => {
    const clock = createFakeClock();
    const registry = createRegistry({ clock, ...(options as object) });
    registry.register(fakeTool({ name: "echo" }));
    const limited = registry.invoke("echo", {}, { timeoutMs: 50 });
    await settle();
    await clock.advance(50);
    expect(await limited).toMatchObject({ ok: false, code: "TIMEOUT" });
    const controller = new AbortController();
    const cancelled = registry.invoke("echo", {}, { signal: controller.signal, timeoutMs: false });
    await settle();
    controller.abort();
    expect(await cancelled).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("closes services that were opened too late", async () => {
    const clock = createFakeClock();
    let open: ((services: object) => void) | undefined;
    const closed: unknown[] = [];
    const registry = createRegistry({
      clock,
      services: () => new Promise<object>((resolve) => void (open = resolve)),
      closeServices: (services: object) => void closed.push(services),
    });
    registry.register(fakeTool({ name: "echo" }) as never);
    const limited = registry.invoke("echo", {}, { timeoutMs: 50 });
    await settle();
    await clock.advance(50);
    expect(await limited).toMatchObject({ code: "TIMEOUT" });
    const services = { db: 1 };
    open!(services);
    await settle();
    expect(closed).toEqual([services]);
  });
});

it("lists that a registry was created with can be changed without effect", async () => {
  const fields = ["token"];
  const before = [() => ({ block: "No." })];
  const registry = createRegistry({ redaction: { fields }, hooks: { before } });
  const open = createRegistry({ redaction: { fields } });
  fields.length = 0;
  before.length = 0;
  for (const one of [registry, open]) one.register(fakeTool({ name: "echo", handler: () => ({ token: "abc" }) }));
  expect(await registry.invoke("echo", {})).toMatchObject({ code: "BLOCKED" });
  expect(await open.invoke("echo", {})).toMatchObject({ ok: true, data: { token: "[redacted]" } });
});

it("a policy that depends on the principal is decided for each principal", async () => {
  const everything = readPolicyConfig({ tools: {} });
  const little = readPolicyConfig({ tools: { deny: ["admin"] } });
  const registry = createRegistry({
    policy: { ...everything, for: (caller: Caller) => ({ ...(caller.principal === "boss" ? everything : little).for(caller) }) },
  });
  registry.register(fakeTool({ name: "admin" }));
  expect(registry.view({ principal: "boss" }).tools).toHaveLength(1);
  expect(registry.view({ principal: "guest" }).tools).toHaveLength(0);
});
