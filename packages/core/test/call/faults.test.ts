import { getEventListeners } from "node:events";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { errorStatus } from "../../src/errors.ts";
import { createMemoryRecorder } from "../../src/call/ports/recorder.ts";
import { createCapabilities } from "../../src/registry/capabilities.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { CallContext } from "../../src/tool/context.ts";
import type { ToolMetadata } from "../../src/tool/metadata.ts";
import type { ToolResult } from "../../src/tool/result.ts";

type Handler = (input: Record<string, unknown>, context: CallContext) => unknown;

// Whatever goes wrong in a handler, nothing of it may reach the process.
const escaped: unknown[] = [];
const note = (reason: unknown): void => void escaped.push(reason);
beforeEach(() => void process.on("unhandledRejection", note));
afterEach(async () => {
  await settle();
  process.off("unhandledRejection", note);
  expect(escaped.splice(0)).toEqual([]);
});

/** What may stand around a handler, from nothing to everything. */
const kinds: [string, RegistryOptions][] = [
  ["alone", {}],
  ["in a queue, recorded", { limits: { concurrency: 1 }, recorder: createMemoryRecorder() }],
  [
    "with wrappers",
    {
      limits: { concurrency: 4, retry: { attempts: 2, backoffMs: 0 }, circuitBreaker: { failures: 1_000_000 } },
      hooks: { before: [() => undefined], after: [async () => undefined] },
      redaction: { fields: ["password"] },
    },
  ],
  ["with a recorder and services", { recorder: createMemoryRecorder(), services: async () => ({}), outputValidation: "strict" }],
];

/** Makes one call under a deadline and a signal, and checks that it left nothing behind. */
async function callWith(handler: Handler, options: RegistryOptions = {}, outputSchema?: Record<string, unknown>): Promise<ToolResult> {
  const clock = createFakeClock();
  const registry = createRegistry({ clock, ...options });
  registry.register(fakeTool({ inputSchema: { type: "object" }, handler: handler as never, ...(outputSchema && { outputSchema }) }));
  const ended: unknown[] = [];
  registry.subscribe((event) => void (event.type === "call-end" && ended.push(event.callId)));
  const { signal } = new AbortController();
  const pending = registry.invoke("echo", {}, { signal, timeoutMs: 1_000 });
  for (let turn = 0; turn < 5; turn++) await clock.advance(300);
  const result = await pending;
  expect(ended).toEqual([result.meta.callId]);
  expect(clock.pending).toBe(0);
  await settle();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  return result;
}

function expectResult(result: ToolResult): void {
  expect(typeof result.meta.callId).toBe("string");
  expect(result.meta.tool).toBe("echo");
  expect(result.meta.durationMs).toBeGreaterThanOrEqual(0);
  if (result.ok) expect(typeof result.content).toBe("string");
  else {
    expect(typeof result.error).toBe("string");
    expect(result.error).not.toBe("");
    expect(Object.hasOwn(errorStatus, result.code)).toBe(true);
    expect(result.status).toBe(errorStatus[result.code]);
  }
}

const throwOf = (thrown: unknown): Handler => {
  return () => {
    throw thrown;
  };
};
const boom = (): never => {
  throw new Error("boom");
};

function circular(): object {
  const itself: Record<string, unknown> = {};
  itself["self"] = itself;
  return itself;
}

/** Values that bite when they are looked at. */
const hostile: [string, () => unknown][] = [
  [
    "a proxy that throws at everything",
    () => new Proxy({}, { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom, getOwnPropertyDescriptor: boom }),
  ],
  ["a proxy of an error that throws at everything", () => new Proxy(new Error("inner"), { get: boom, has: boom, getPrototypeOf: boom })],
  ["an error whose message throws", () => Object.defineProperty(new Error("x"), "message", { get: boom })],
  ["an error whose message is no text", () => Object.assign(new Error("x"), { message: { toString: boom } })],
  [
    "something that calls itself a tool error",
    () => ({ [Symbol.for("toolrack.error")]: true, code: "TIMEOUT", message: 5, retryable: "yes" }),
  ],
  ["a tool error with an unknown code", () => ({ [Symbol.for("toolrack.error")]: true, code: "constructor", message: "x" })],
  ["an object whose toJSON throws", () => ({ toJSON: boom })],
  ["a circular object", circular],
  ["a BigInt", () => 10n],
  ["an object with a BigInt", () => ({ n: 10n })],
  ["a symbol", () => Symbol("s")],
  ["a function", () => boom],
  ["an object without a prototype", () => Object.create(null)],
  [
    "a revoked proxy",
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  ["a full result with garbage in it", () => ({ ok: true, content: "x", blocks: [null], effects: 5, data: 10n })],
  ["blocks that are none", () => ({ ok: true, content: "x", blocks: 42 })],
  ["a failure with an unknown code", () => ({ ok: false, error: "x", code: "__proto__" })],
  ["a result that throws when it is read", () => Object.defineProperty({ ok: true }, "content", { get: boom })],
  ["data that throws when it is read", () => ({ ok: true, content: "x", data: new Proxy({}, { get: boom, ownKeys: boom, has: boom }) })],
];

/** Promises and their like that do not do what promises do. */
const promises: [string, () => unknown][] = [
  ["a promise that has an ok of its own", () => Object.assign(Promise.resolve("fine"), { ok: true, content: "not yet" })],
  ["a rejected promise that has an ok of its own", () => Object.assign(Promise.reject(new Error("no")), { ok: false })],
  ["a proxy of a promise", () => new Proxy(Promise.resolve("fine"), {})],
  ["a thenable whose then throws", () => ({ then: boom })],
  ["a thenable whose then is thrown at when it is read", () => Object.defineProperty({}, "then", { get: boom })],
  [
    "a thenable that answers twice",
    () => ({
      then: (resolve: (value: string) => void, reject: (error: Error) => void) => (
        resolve("fine"),
        resolve("again"),
        reject(new Error("late"))
      ),
    }),
  ],
  ["a promise whose then is its own, and useless", () => Object.assign(Promise.resolve("fine"), { then: () => undefined })],
  [
    "a promise of a class of its own, whose then throws",
    () =>
      new (class extends Promise<string> {
        override then(): never {
          return boom();
        }
      })((resolve) => resolve("fine")),
  ],
  ["a promise of a thenable", () => Promise.resolve({ then: (resolve: (value: string) => void) => resolve("fine") })],
  ["a thenable that is a function", () => Object.assign(() => {}, { then: (resolve: (value: string) => void) => resolve("fine") })],
];

describe.each(kinds)("a handler %s", (_, options) => {
  it.each(hostile)("may throw %s", async (__, make) => {
    const thrown = await callWith(throwOf(make()), options);
    expectResult(thrown);
    expect(thrown.ok).toBe(false);
    const rejected = await callWith(() => Promise.reject(make()), options);
    expectResult(rejected);
    expect(rejected.ok).toBe(false);
  });

  it.each(hostile)("may return %s", async (__, make) => {
    expectResult(await callWith(() => make(), options));
    expectResult(await callWith(async () => (await settle(), make()), options));
    expectResult(await callWith(() => make(), options, { type: "object", properties: { n: { type: "number" } } }));
  });

  it.each(promises)("may return %s", async (__, make) => {
    expectResult(await callWith(() => make(), options));
  });

  it("may return a promise that settles in its own way, also where nothing else ends the wait", async () => {
    const useless = { then: (resolve: (value: string) => void) => void resolve("fine") };
    class LikeResult<Value> extends Promise<Value> {
      readonly ok = true;
      readonly content = "not yet";
    }
    class Odd<Value> extends Promise<Value> {
      static override get [Symbol.species](): PromiseConstructor {
        return LikeResult;
      }
    }
    for (const make of [() => Object.assign(Promise.resolve("own"), useless), () => new Odd<string>((resolve) => resolve("fine"))]) {
      const registry = createRegistry(options);
      registry.register(fakeTool({ handler: make }));
      expect(await registry.invoke("echo", {})).toMatchObject({ ok: true, content: "fine" });
    }
  });

  // row: B2
  it("may throw or return anything at all: the call never rejects", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withObjectString: true,
        }),
        fc.constantFrom("throw", "reject", "return", "resolve"),
        async (value, how) => {
          const handler: Handler = {
            throw: throwOf(value),
            reject: () => Promise.reject(value),
            return: () => value,
            resolve: async () => value,
          }[how]!;
          const result = await callWith(handler, options);
          expectResult(result);
          if (how === "throw" || how === "reject") expect(result.ok).toBe(false);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("may be called with anything at all: the call never rejects", async () => {
    const registry = createRegistry(options);
    registry.register(fakeTool());
    await fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true }), fc.oneof(fc.constant("echo"), fc.string()), async (input, name) => {
        const result = await registry.invoke(name, input);
        expect(typeof (result.ok ? result.content : result.error)).toBe("string");
      }),
      { numRuns: 100 },
    );
    for (const [, make] of hostile) expect(await registry.invoke("echo", make())).toHaveProperty("meta.callId");
  });

  it("may never settle: the deadline ends it, and so does the caller", async () => {
    expect(await callWith(() => new Promise(() => {}), options)).toMatchObject({ code: "TIMEOUT" });
    expect(await callWith(() => ({ then: () => {} }), options)).toMatchObject({ code: "TIMEOUT" });
  });

  it("may return a text of 50 MB, which is cut, and says so", async () => {
    const result = await callWith(() => "x".repeat(50_000_000), options);
    expect(result.ok && result.content.length).toBeLessThanOrEqual(262_144);
    expect(result.meta.warnings?.[0]).toContain("was cut");
  });

  it("may throw a text of 50 MB, which is cut, too", async () => {
    const result = await callWith(throwOf(new Error("x".repeat(50_000_000))), options);
    expect(!result.ok && result.error.length).toBeLessThan(20_000);
  });
});

describe("what is returned", () => {
  it.each([
    ["a circular object", circular, /not JSON/],
    ["a BigInt", () => 2n ** 60n, /not JSON/],
    ["a symbol", () => Symbol("s"), /result is a symbol/],
    ["a function", () => boom, /result is a function/],
  ])("is named when it is %s", async (_, make, error) => {
    const result = await callWith(() => make());
    expect(result).toMatchObject({ ok: false, code: "RESULT_INVALID", status: 502 });
    expect(!result.ok && result.error).toMatch(error);
  });
});

describe("what a call depends on", () => {
  const conditional = { optionality: "conditional" as const, when: boom };

  it.each<[string, RegistryOptions, ToolMetadata | undefined]>([
    ["the configuration", { config: { get: boom } }, undefined],
    ["the services", { services: boom }, undefined],
    ["the condition of the tool", {}, conditional],
    ["the check of a capability", { capabilities: createCapabilities({ checks: { probe: boom } }) }, { requiresCapabilities: ["probe"] }],
  ])("may throw: %s", async (_, options, metadata) => {
    const registry = createRegistry(options);
    registry.register(fakeTool({ handler: () => expect.unreachable(), ...(metadata && { metadata }) }));
    const ended: string[] = [];
    registry.subscribe((event) => void (event.type === "call-end" && ended.push(event.callId)));
    const { signal } = new AbortController();
    const result = await registry.invoke("echo", {}, { signal, timeoutMs: 10 });
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/./) });
    expect(ended).toEqual([result.meta.callId]);
    await settle();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
