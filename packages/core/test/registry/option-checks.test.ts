import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { Caller } from "../../src/tool/context.ts";

const wrong = <Wanted>(value: unknown): Wanted => value as Wanted;
const policy = readPolicyConfig({ agents: { support: { tools: { deny: ["echo"] } } } });

function open(options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(fakeTool({ handler: () => "ran" }));
  return registry;
}

describe("createRegistry refuses an option that it does not know or cannot use:", () => {
  it.each<[options: unknown, sentence: string]>([
    [{ polcy: policy }, 'createRegistry has the unknown option "polcy". Did you mean "policy"?'],
    [{ limits: { timeoutMS: 5 } }, 'createRegistry has the unknown option "limits.timeoutMS". Did you mean "limits.timeoutMs"?'],
    [
      { limits: { retry: { attempts: 2, backoff: 5 } } },
      'the unknown option "limits.retry.backoff". Did you mean "limits.retry.backoffMs"?',
    ],
    [{ limits: { rate: [{ calls: 1, per: 5 }] } }, 'the unknown option "limits.rate[0].per". Known options: calls, perMs, tool, by.'],
    [{ limits: { timeoutMs: "5s" } }, 'createRegistry: "limits.timeoutMs" must be a number above 0'],
    [{ limits: 5 }, 'createRegistry: "limits" must be an object with timeoutMs'],
    [{ hooks: { befor: [] } }, 'unknown option "hooks.befor". Did you mean "hooks.before"?'],
    [{ hooks: { before: () => undefined } }, '"hooks.before" must be a list of functions, not a function.'],
    [{ hooks: [() => undefined] }, '"hooks" must be an object with before, after, not a list.'],
    [{ recorder: {} }, '"recorder" must be an object with the function record, not an object.'],
    [{ secrets: { token: "s3cret" } }, '"secrets" must be an object with the functions has, get, not an object.'],
    [{ config: () => undefined }, '"config" must be an object with the function get, not a function.'],
    [{ approver: () => true }, '"approver" must be an object with the function ask, not a function.'],
    [{ clock: Date }, '"clock" must be an object with the functions now, after, not a function.'],
    [{ log: { info: () => undefined } }, '"log" must be an object with the functions debug, info, warn, error, not an object.'],
    [{ limits: { images: { resize: {} } } }, '"limits.images.resize" must be an object with the function resize, not an object.'],
    [{ workspace: "/srv" }, '"workspace" must be an object with root, hidden, not a text.'],
    [{ workspace: {} }, '"workspace.root" must be a text that is not empty, and is missing.'],
    [{ wrappers: {} }, '"wrappers" must be a list of { wrapper, at }, not an object.'],
    [{ wrappers: [{ wraper: {}, at: "outermost" }] }, 'unknown option "wrappers[0].wraper". Did you mean "wrappers[0].wrapper"?'],
    [{ wrappers: [{ name: "mine", run: (next: unknown) => next }] }, 'unknown option "wrappers[0].name"'],
    [
      { wrappers: [{ wrapper: { name: "mine", befroeRun: () => undefined }, at: "outermost" }] },
      'unknown option "wrappers[0].wrapper.befroeRun". Did you mean "wrappers[0].wrapper.beforeRun"?',
    ],
    [{ redaction: { field: ["a"] } }, 'unknown option "redaction.field". Did you mean "redaction.fields"?'],
    [{ outputValidation: "stirct" }, '"outputValidation" must be "off", "warn" or "strict", not "stirct".'],
    [{ repairInputs: "yes" }, '"repairInputs" must be true or false, not a text.'],
    [{ capabilities: { checks: {} } }, '"capabilities" must be an object with the functions knows, has, remedy, names'],
    [null, "createRegistry must be given an object with services"],
    ["strict", "createRegistry must be given an object with services"],
  ])("%j", (options, sentence) => {
    expect(() => createRegistry(wrong<RegistryOptions>(options))).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(() => createRegistry(wrong<RegistryOptions>(options))).toThrow(sentence);
  });

  it("and quotes no text that was given for a port", () => {
    expect(() => createRegistry(wrong<RegistryOptions>({ secrets: "s3cret" }))).toThrow(
      /must be an object with the functions has, get, not a text\.$/,
    );
  });

  it("while undefined counts as absent, no time limit is false, and every option may be an instance of a class", () => {
    class Log {
      debug(): void {}
      info(): void {}
      warn(): void {}
      error(): void {}
    }
    expect(
      createRegistry(wrong<RegistryOptions>({ policy: undefined, limits: { rate: undefined, timeoutMs: false }, log: new Log() })).count,
    ).toBe(0);
  });
});

describe("createRegistry accepts a wrapper", () => {
  it("that is an instance of a class, with members of its own", async () => {
    const seen: string[] = [];
    class Noting {
      readonly name = "noting";
      readonly unit = "calls";
      beforeRun(call: { readonly callId: string }): undefined {
        seen.push(call.callId);
      }
      report(): string {
        return `${seen.length} ${this.unit}`;
      }
    }
    const wrapper = new Noting();
    const registry = open({ wrappers: [{ wrapper: wrapper as never, at: "before-limits" }] });
    expect(await registry.invoke("echo", {}, { callId: "c-1" })).toMatchObject({ ok: true });
    expect([seen, wrapper.report()]).toEqual([["c-1"], "1 calls"]);
  });

  it("but none whose function has the wrong kind, wherever it stands", () => {
    const members = ["appliesTo", "prepare", "beforeRun", "run", "interrupt", "finish", "skipsShortText"];
    for (const member of members)
      expect(() => createRegistry({ wrappers: [{ wrapper: { name: "mine", [member]: 5 } as never, at: "outermost" }] }), member).toThrow(
        `"wrappers[0].wrapper.${member}" must be a function, not 5.`,
      );
    for (const [option, missing] of [
      [{ wrapper: { name: "mine" } }, "wrappers[0].at"],
      [{ at: "outermost" }, "wrappers[0].wrapper"],
    ] as const)
      expect(() => createRegistry({ wrappers: [option as never] })).toThrow(
        new RegExp(`"${missing.replace("[0]", "\\[0\\]")}" must be .+ and is missing`),
      );
  });
});

describe("createRegistry accepts", () => {
  it.each<[RegistryOptions]>([
    [
      {
        limits: {
          rate: [
            { calls: 1, perMs: 5, by: "tool" },
            { calls: 1, perMs: 5, by: "caller", tool: "echo" },
          ],
        },
      },
    ],
    [{ limits: { retry: { attempts: 2, backoffMs: 1, jitter: 0, maxWaitMs: 5, random: () => 0 }, callsPerRun: 3, depth: 2 } }],
    [
      {
        limits: { loops: { warnAt: 2, blockAt: 3, history: 10, maxRuns: 5 }, circuitBreaker: { failures: 2, coolDownMs: 5, maxTools: 9 } },
      },
    ],
    [{ limits: { concurrency: 2, maxResultBytes: 100, images: { maxSidePx: 10, maxBytes: 100 } } }],
    [{ outputValidation: "off" }],
    [{ outputValidation: "warn" }],
    [{ outputValidation: "strict", repairInputs: true }],
    [{ redaction: { fields: ["a"], values: () => [] } }],
    [{ hooks: { before: [() => undefined], after: [() => undefined] } }],
    [{ capabilities: { knows: () => true, has: () => true, remedy: () => "", names: () => [] } }],
    [{ services: { db: 1 }, closeServices: () => undefined }],
  ])("%j", (options) => {
    expect(createRegistry(options).count).toBe(0);
  });
});

const wrongCallers: [caller: unknown, sentence: string][] = [
  [{ agnet: "support" }, 'The caller has the unknown field "agnet". Did you mean "agent"?'],
  [{ user: "ada" }, 'The caller has the unknown field "user". Known fields: agent, principal, provider'],
  [{ agent: 5 }, 'The caller: "agent" must be a text, not 5.'],
  [{ owner: "true" }, 'The caller: "owner" must be true or false, not a text.'],
  [{ roles: "admin" }, 'The caller: "roles" must be a list of texts, not a text.'],
  [{ roles: ["admin", 5] }, 'The caller: "roles" must be a list of texts, not a list of others.'],
  [{ subagentDepth: Number.NaN }, 'The caller: "subagentDepth" must be a number of 0 or more, not NaN.'],
  ["support", 'The caller must be an object such as { agent: "support" }, not a text. {} is a caller of whom nothing is known.'],
  [["support"], "The caller must be an object"],
  [null, "The caller must be an object"],
];

describe("a caller with a field that nobody reads is refused, because a rule about it would not apply:", () => {
  it.each(wrongCallers)("%j", async (caller, sentence) => {
    const registry = open({ policy });
    expect(await registry.invoke("echo", {}, { caller: wrong<Caller>(caller) })).toMatchObject({
      ok: false,
      code: "CONFIG_INVALID",
      error: expect.stringContaining(sentence),
      retryable: false,
    });
    expect(() => registry.view(wrong<Caller>(caller))).toThrow(sentence);
    expect(() => registry.explain("echo", wrong<Caller>(caller))).toThrow(sentence);
    expect(() => policy.for(wrong<Caller>(caller))).toThrow(sentence);
  });

  it("while undefined counts as unknown, symbols are private to their owner, and a class may carry methods", async () => {
    class Known {
      agent = "planner";
      describe(): string {
        return this.agent;
      }
    }
    for (const caller of [{ agent: undefined, roles: undefined }, { agent: "a", [Symbol("mine")]: 5 }, new Known(), Object.freeze({})]) {
      expect(await open({ policy }).invoke("echo", {}, { caller: wrong<Caller>(caller) })).toMatchObject({ ok: true });
    }
  });

  it("and a view without a caller says how to ask for one", () => {
    expect(() => open().view(wrong(undefined))).toThrow("The caller must be an object such as");
  });
});

describe("a call refuses an option that it does not know or cannot use, and the handler does not run:", () => {
  it.each<[options: unknown, sentence: string]>([
    [{ timeout: 5 }, 'invoke has the unknown option "timeout". Did you mean "timeoutMs"?'],
    [{ agent: "support" }, 'invoke has the unknown option "agent". Did you mean "caller.agent"?'],
    [{ timeoutMs: "5" }, 'invoke: "timeoutMs" must be a number of milliseconds, or false, not a text.'],
    [{ timeoutMs: Number.NaN }, 'invoke: "timeoutMs" must be a number of milliseconds, or false, not NaN.'],
    [{ signal: new AbortController() }, 'invoke: "signal" must be an AbortSignal, not an object.'],
    [{ callId: 5 }, 'invoke: "callId" must be a text, not 5.'],
    [{ idempotencyKey: 5 }, 'invoke: "idempotencyKey" must be a text, not 5.'],
    [{ onProgress: {} }, 'invoke: "onProgress" must be a function, not an object.'],
    [{ approval: "yes" }, 'invoke: "approval" must be { digest, answer } or a list of those, not a text.'],
    ["support", "invoke must be given an object with caller, signal"],
    [null, "invoke must be given an object with caller, signal"],
  ])("%j", async (options, sentence) => {
    let ran = false;
    const registry = createRegistry();
    registry.register(fakeTool({ handler: () => ((ran = true), "ran") }));
    expect(await registry.invoke("echo", {}, wrong(options))).toMatchObject({
      ok: false,
      code: "CONFIG_INVALID",
      error: expect.stringContaining(sentence),
      meta: { tool: "echo", callId: expect.any(String) },
    });
    expect(ran).toBe(false);
  });

  it("and undefined counts as absent", async () => {
    const options = { caller: undefined, signal: undefined, timeoutMs: undefined, callId: undefined, idempotencyKey: undefined };
    expect(await open().invoke("echo", {}, wrong(options))).toMatchObject({ ok: true });
  });
});

describe("the calls of a reply", () => {
  it("are refused one by one where they carry their arguments under another name", async () => {
    const registry = open();
    const results = await registry.callAll(wrong([{ name: "echo", input: {} }, { name: "echo", arguments: {} }, "echo"]));
    expect(results).toMatchObject([
      { ok: true },
      { ok: false, code: "CONFIG_INVALID", error: expect.stringContaining('"arguments"') },
      { ok: false, code: "CONFIG_INVALID", error: expect.stringContaining("must be given an object with name, input, callId") },
    ]);
  });

  it("may be those that readCalls returned", async () => {
    expect(await open().callAll([{ id: "1", name: "echo", wireName: "echo", input: {} } as never])).toMatchObject([{ ok: true }]);
  });

  it("have to be a list", async () => {
    await expect(async () => open().callAll(wrong({ name: "echo" }))).rejects.toThrow(
      "callAll must be given a list of calls, not an object.",
    );
  });
});

describe("the other methods refuse what they would ignore:", () => {
  it.each<[what: string, act: (registry: Registry) => unknown, sentence: string]>([
    [
      "register",
      (registry) => registry.register(fakeTool({ name: "b" }), wrong({ onConflit: "keep" })),
      'register has the unknown option "onConflit". Did you mean "onConflict"?',
    ],
    [
      "register, a wrong value",
      (registry) => registry.register(fakeTool({ name: "b" }), wrong({ onConflict: "overwrite" })),
      'register: "onConflict" must be "error", "replace" or "keep", not "overwrite".',
    ],
    ["merge", (registry) => registry.merge(open(), wrong({ conflict: "keep" })), 'merge has the unknown option "conflict".'],
    ["merge, no registry", (registry) => registry.merge(wrong([fakeTool({})])), "merge must be given a registry, not a list."],
    ["list", (registry) => (registry.list as (options: unknown) => unknown)({ category: "web" }), "list takes no options"],
    ["addSource", (registry) => registry.addSource(wrong([fakeTool({})])), "addSource must be given a source"],
    ["subscribe", (registry) => registry.subscribe(wrong({})), "subscribe must be given a function, not an object."],
    ["applyBundle", (registry) => registry.applyBundle(wrong({ required: ["echo"] })), "applyBundle must be given a bundle"],
  ])("%s", async (_what, act, sentence) => {
    await expect(async () => act(open())).rejects.toThrow(expect.objectContaining({ name: "ToolError" }));
    await expect(async () => act(open())).rejects.toThrow(sentence);
  });
});
