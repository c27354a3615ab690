import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { type CallContext, createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { deepFreeze } from "@toolrack/core/internal";
import { type ContractCheck, createFakeSecrets } from "@toolrack/core/testing";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { ImplementationKind } from "../tools/kinds/kind.ts";
import { recordSource } from "../tools/record-source.ts";

/** A call of a stored tool of the kind that is checked. */
export interface ImplementationCase {
  /** The `implementation` of the definition, without `kind`. */
  readonly implementation: JsonObject;
  /** The input of the call. @default {} */
  readonly input?: JsonObject;
  /** The schema of the input. @default any object */
  readonly inputSchema?: JsonObject;
}

export interface ImplementationContractOptions {
  /** Implementations that run, each with the expected content of the result. At least one. */
  readonly runs: readonly (ImplementationCase & { readonly content: string })[];
  /** Implementations that cannot run, without `kind`: `createHandler` must throw for each. At least one. */
  readonly refused: readonly JsonObject[];
  /** A call that does not end by itself: aborting it must end it. @default not checked */
  readonly waits?: ImplementationCase;
  /** The secrets that the implementations need, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/**
 * The contract of `ImplementationKind` as checks for any test runner: `for (const check of implementationContract(…)) it(check.name, check.run)`.
 * `makeKind` is called for each check; the kind that it returns is closed after the check.
 */
export function implementationContract(
  makeKind: () => ImplementationKind,
  options: ImplementationContractOptions,
): readonly ContractCheck[] {
  const { runs, refused, waits, secrets = {} } = options;
  const { kind: name } = makeKind();
  const whole = (implementation: JsonObject): JsonObject => deepFreeze({ ...structuredClone(implementation), kind: name });

  const checks: Record<string, (kind: ImplementationKind) => void | Promise<void>> = {
    "is checked with at least one implementation that runs and one that is refused": () => {
      assert.ok(runs.length > 0 && refused.length > 0);
    },

    "has a name of lower-case letters, digits and single hyphens": ({ kind }) => assert.match(kind, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/),

    "creates a handler without opening anything, and without changing the definition": (kind) => {
      for (const { implementation } of runs) {
        const before = process.getActiveResourcesInfo().sort();
        assert.equal(typeof kind.createHandler(whole(implementation), definitionOf(whole(implementation))), "function");
        assert.deepEqual(process.getActiveResourcesInfo().sort(), before, "createHandler opened something; open it in the first call");
      }
    },

    "refuses an implementation that cannot run, with the reason": (kind) => {
      for (const implementation of refused) {
        const shown = JSON.stringify(implementation);
        const outcome = outcomeOf(kind, whole(implementation));
        assert.ok(outcome instanceof Error, `createHandler must throw an Error for ${shown}`);
        assert.ok(outcome.message.trim() !== "", `the error for ${shown} must have a message`);
      }
    },

    "creates a handler or throws an Error for an implementation of any form": (kind) => {
      for (const implementation of hostile) {
        const outcome = outcomeOf(kind, whole(implementation));
        assert.ok(
          typeof outcome === "function" || outcome instanceof Error,
          `createHandler(${JSON.stringify(implementation)}) returned no function`,
        );
      }
      assert.equal("polluted" in {}, false, "a __proto__ key of an implementation must stay a plain key");
    },

    "lists the secrets that it needs by their names": (kind) => {
      for (const { implementation } of runs) {
        const names = kind.secrets?.(whole(implementation)) ?? [];
        assert.deepEqual(kind.secrets?.(whole(implementation)) ?? [], names);
        for (const secret of names)
          assert.ok(Object.hasOwn(secrets, secret), `the secret "${secret}" is not among the secrets of the contract`);
      }
    },

    "runs as a stored tool": async (kind) => {
      for (const one of runs) {
        const result = await withTools(kind, { one }, secrets, (registry) => registry.invoke("one", one.input ?? {}));
        assert.equal(contentOf(result), one.content);
      }
    },

    "runs several definitions side by side, and many calls at once": async (kind) => {
      const tools = Object.fromEntries(runs.map((one, index) => [`tool-${index}`, one]));
      await withTools(kind, tools, secrets, async (registry) => {
        const calls = Array.from({ length: 20 }, (_, index) => index % runs.length);
        const results = await Promise.all(calls.map((index) => registry.invoke(`tool-${index}`, runs[index]!.input ?? {})));
        assert.deepEqual(
          results.map(contentOf),
          calls.map((index) => runs[index]!.content),
        );
      });
    },

    "leaves out only the definition that it refuses, and the reason is reported": async (kind) => {
      const tools = { broken: { implementation: refused[0]! }, good: runs[0]! };
      await withTools(kind, tools, secrets, (registry) => {
        assert.deepEqual(
          registry.list().map((tool) => tool.name),
          ["good"],
        );
        assert.equal(registry.sources()[0]?.problems.length, 1);
      });
    },

    "ends a call that is aborted, and listens no longer": async (kind) => {
      if (waits === undefined) return;
      const controller = new AbortController();
      const handler = kind.createHandler(whole(waits.implementation), definitionOf(whole(waits.implementation)));
      const running = Promise.resolve(handler(structuredClone(waits.input ?? {}), contextOf(controller.signal, secrets)));
      const ended = running.then(
        () => true,
        () => true,
      );
      setImmediate(() => controller.abort());
      assert.ok(await within(5_000, ended), "the call did not end after its signal was aborted");
      assert.equal(getEventListeners(controller.signal, "abort").length, 0, "an abort listener was left behind");
    },

    "can be closed twice": async (kind) => {
      await kind.close?.();
      await kind.close?.();
    },
  };

  return Object.entries(checks).map(([check, run]) => ({
    name: `${name}: ${check}`,
    async run() {
      const kind = makeKind();
      try {
        await kind.load?.();
        await run(kind);
      } finally {
        await kind.close?.();
      }
    },
  }));
}

/** Forms that a definition from elsewhere may have. */
const hostile: readonly JsonObject[] = [
  {},
  { id: 5, endpoint: 5, text: 5 },
  { id: null, endpoint: null, text: null },
  { id: ["a"], endpoint: ["a"], text: ["a"] },
  { id: "__proto__", endpoint: "__proto__", text: "__proto__" },
  { id: "x".repeat(100_000), endpoint: "x".repeat(100_000), text: "{".repeat(100_000) },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as JsonObject,
];

function outcomeOf(kind: ImplementationKind, implementation: JsonObject): unknown {
  try {
    return kind.createHandler(implementation, definitionOf(implementation));
  } catch (error) {
    return error;
  }
}

function definitionOf(implementation: JsonObject): Breadcrumb {
  return deepFreeze({
    id: "tool-def-one",
    schema_name: "tool.definition.v1",
    title: "one",
    tags: [],
    version: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    context: { name: "one", description: "Is checked.", inputSchema: { type: "object" }, implementation },
  }) as unknown as Breadcrumb;
}

/** Runs `use` with a registry that has these definitions, by the names of their tools. */
async function withTools<Value>(
  kind: ImplementationKind,
  tools: Readonly<Record<string, ImplementationCase>>,
  secrets: Readonly<Record<string, string>>,
  use: (registry: Registry) => Value | Promise<Value>,
): Promise<Value> {
  const store = createMemoryStore();
  const registry = createRegistry({ secrets: createFakeSecrets(secrets) });
  try {
    for (const [name, { implementation, inputSchema = { type: "object" } }] of Object.entries(tools)) {
      const context = { name, description: "Is checked.", inputSchema, implementation: { ...implementation, kind: kind.kind } };
      const written = await store.put({ schema_name: "tool.definition.v1", title: name, tags: [], context });
      assert.ok(written.ok, "the definition could not be stored");
    }
    // The check closes the kind.
    const unclosed = Object.create(kind, { close: { value: () => Promise.resolve() } }) as ImplementationKind;
    await registry.addSource(recordSource(store, { kinds: [unclosed] }));
    return await use(registry);
  } finally {
    await registry.close();
    await store.close();
  }
}

function contextOf(signal: AbortSignal, secrets: Readonly<Record<string, string>>): CallContext {
  return { signal, secret: (name: string) => Promise.resolve(secrets[name] ?? "") } as unknown as CallContext;
}

function contentOf(result: ToolResult): string {
  return result.ok ? result.content : `${result.code}: ${result.error}`;
}

/** Whether it settles in time. */
async function within(milliseconds: number, settled: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
