import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import type { Approver } from "../../src/call/ports/approver.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { Answer } from "../../src/tool/context.ts";
import type { ToolResult } from "../../src/tool/result.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const caller = { agent: "plain" };
const asking = { tools: { ask: ["danger"] } };
const inputSchema = { type: "object", properties: { amount: { type: "number" } } } as const;

/** Something that somebody waits for, until it is let go. */
function createGate<Value>(): { readonly reached: Promise<void>; open(value: Value): void; wait(): Promise<Value> } {
  let arrive = (): void => undefined;
  let open: (value: Value) => void = () => undefined;
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<Value>((resolve) => (open = resolve));
  return { reached, open, wait: () => (arrive(), opened) };
}

interface Rig {
  readonly registry: Registry;
  readonly runs: unknown[];
  readonly asked: ReturnType<typeof createGate<Answer>>;
}

/** A registry with the tool "danger", which notes that it ran, and an approver that waits. */
function setUp(options: RegistryOptions = {}, handler: ToolDefinition["handler"] = () => "done"): Rig {
  const runs: unknown[] = [];
  const asked = createGate<Answer>();
  const approver: Approver = { ask: () => asked.wait() };
  const registry = createRegistry({ approver, ...options });
  registry.register(
    defineTool({
      name: "danger",
      description: "Does something.",
      inputSchema,
      handler: (input, context) => (runs.push(input), handler(input, context)),
    }),
  );
  return { registry, runs, asked };
}

const changes: readonly [what: string, code: string, change: (registry: Registry) => void][] = [
  ["denies it", "TOOL_NOT_ALLOWED", (registry) => registry.setPolicy(readPolicyConfig({ tools: { deny: ["danger"] } }))],
  [
    "denies it to this agent",
    "TOOL_NOT_ALLOWED",
    (registry) => registry.setPolicy(readPolicyConfig({ agents: { plain: { tools: { deny: ["danger"] } } } })),
  ],
  ["allows others only", "TOOL_NOT_ALLOWED", (registry) => registry.setPolicy(readPolicyConfig({ tools: { allow: ["other"] } }))],
  ["is followed by the tool being switched off", "TOOL_DISABLED", (registry) => registry.disable("danger")],
  ["is followed by the tool being removed", "TOOL_NOT_FOUND", (registry) => registry.unregister("danger")],
];

describe("a call that waited for a person", () => {
  for (const [what, code, change] of changes) {
    it(`SD7: does not run where the policy meanwhile ${what}`, async () => {
      const { registry, runs, asked } = setUp({ policy: readPolicyConfig(asking) });
      const waiting = registry.invoke("danger", { amount: 1 }, { caller });
      await asked.reached;
      change(registry);
      asked.open({ action: "accept" });
      const result = await waiting;
      expect(runs).toEqual([]);
      // A tool that is gone has another definition than the one that was asked about.
      expect(result).toMatchObject({ ok: false, code: code === "TOOL_NOT_FOUND" ? "APPROVAL_DENIED" : code });
    });
  }

  it("SD7: does not run where a rule meanwhile denies its arguments", async () => {
    const { registry, runs, asked } = setUp({ policy: readPolicyConfig(asking) });
    const waiting = registry.invoke("danger", { amount: 100 }, { caller });
    await asked.reached;
    registry.setPolicy(readPolicyConfig({ tools: { ...asking.tools, conditions: [{ tool: "danger", deny: "amount > 50" }] } }));
    asked.open({ action: "accept" });
    expect(await waiting).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(runs).toEqual([]);
  });

  it("SD7: runs where the settings changed and still ask about it, without a second question", async () => {
    const { registry, runs, asked } = setUp({ policy: readPolicyConfig(asking) });
    const waiting = registry.invoke("danger", { amount: 1 }, { caller });
    await asked.reached;
    registry.setPolicy(readPolicyConfig({ tools: { ...asking.tools, deny: ["other"] } }));
    asked.open({ action: "accept" });
    expect(await waiting).toMatchObject({ ok: true });
    expect(runs).toEqual([{ amount: 1 }]);
  });

  it("SD7: asked by its own handler, is told that it may go no further", async () => {
    const sent: string[] = [];
    const { registry, asked } = setUp({}, async (_, { ask }) => {
      await ask({ message: "Go on?" });
      sent.push("sent");
      return "sent";
    });
    const waiting = registry.invoke("danger", {}, { caller });
    await asked.reached;
    registry.disable("danger");
    asked.open({ action: "accept" });
    expect(await waiting).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    expect(sent).toEqual([]);
  });
});

describe("a call that waited for something else", () => {
  /** Two calls of a tool that runs one at a time: the first holds the place, the second waits. */
  async function queued(
    change: (registry: Registry) => void,
    options: RegistryOptions = {},
  ): Promise<{ second: ToolResult; runs: unknown[] }> {
    const held = createGate<string>();
    const { registry, runs } = setUp({ ...options, limits: { concurrency: 1 } }, () => held.wait());
    const first = registry.invoke("danger", { amount: 1 }, { caller });
    await held.reached;
    const second = registry.invoke("danger", { amount: 2 }, { caller });
    change(registry);
    held.open("done");
    expect(await first).toMatchObject({ ok: true });
    return { second: await second, runs };
  }

  for (const [what, code, change] of changes) {
    it(`SD16: for its turn does not run where the policy meanwhile ${what}`, async () => {
      const { second, runs } = await queued(change);
      expect(second).toMatchObject({ ok: false, code });
      expect(runs).toEqual([{ amount: 1 }]);
    });
  }

  it("SD16: for its turn does not run where a person has to be asked by now", async () => {
    const { second, runs } = await queued((registry) => registry.setPolicy(readPolicyConfig(asking)));
    expect(second).toMatchObject({ ok: false, code: "APPROVAL_DENIED" });
    expect(runs).toEqual([{ amount: 1 }]);
  });

  it("SD16: for its turn does not run the old handler of a tool that was replaced and switched off", async () => {
    const { second, runs } = await queued((registry) => {
      const other = defineTool({ name: "danger", description: "Another.", inputSchema, handler: () => "other" });
      registry.register(other, { onConflict: "replace" });
      registry.disable("danger");
    });
    expect(second).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    expect(runs).toEqual([{ amount: 1 }]);
  });

  it("SD16: for its turn runs after a change that does not concern it", async () => {
    const { second, runs } = await queued((registry) => registry.setPolicy(readPolicyConfig({ tools: { deny: ["other"] } })));
    expect(second).toMatchObject({ ok: true });
    expect(runs).toHaveLength(2);
  });

  it("SD16: for a hook does not run once it is switched off", async () => {
    const hook = createGate<undefined>();
    const { registry, runs } = setUp({ hooks: { before: [() => hook.wait()] } });
    const waiting = registry.invoke("danger", {}, { caller });
    await hook.reached;
    registry.disable("danger");
    hook.open(undefined);
    expect(await waiting).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    expect(runs).toEqual([]);
  });

  it("SD16: to be tried again is not tried again once it is denied", async () => {
    const clock = createFakeClock();
    const { registry, runs } = setUp({ clock, limits: { retry: { attempts: 3, backoffMs: 1_000 } } }, () => ({
      ok: false,
      code: "UPSTREAM_FAILED",
      error: "Not now.",
      retryable: true,
    }));
    const waiting = registry.invoke("danger", {}, { caller });
    await clock.advance(0);
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["danger"] } }));
    await clock.advance(60_000);
    expect(await waiting).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(runs).toHaveLength(1);
  });

  it("SD16: that was made by another tool goes the same way", async () => {
    const { registry, runs, asked } = setUp({ policy: readPolicyConfig(asking) });
    registry.register(
      defineTool({
        name: "outer",
        description: "Calls another.",
        inputSchema: { type: "object" },
        handler: async (_, { call }) => {
          const inner = await call("danger", {});
          return inner.ok ? inner.content : inner.code;
        },
      }),
    );
    const waiting = registry.invoke("outer", {}, { caller });
    await asked.reached;
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["danger"] } }));
    asked.open({ action: "accept" });
    expect(await waiting).toMatchObject({ ok: true, content: "TOOL_NOT_ALLOWED" });
    expect(runs).toEqual([]);
  });

  for (const [what, change] of [
    ["is denied", (registry: Registry) => registry.setPolicy(readPolicyConfig({ tools: { ask: ["danger"], deny: ["outer"] } }))],
    ["is switched off", (registry: Registry) => registry.disable("outer")],
  ] as const) {
    it(`SD7: that was made by a tool that ${what} meanwhile does not run`, async () => {
      const { registry, runs, asked } = setUp({ policy: readPolicyConfig(asking) });
      const inner: ToolResult[] = [];
      const calls = (name: string, other: string): ToolDefinition =>
        defineTool({
          name,
          description: "Calls another.",
          inputSchema: { type: "object" },
          handler: async (_, { call }) => {
            inner.push(await call(other, {}));
            return "done";
          },
        });
      for (const tool of [calls("outer", "middle"), calls("middle", "danger")]) registry.register(tool);
      const waiting = registry.invoke("outer", {}, { caller });
      await asked.reached;
      change(registry);
      asked.open({ action: "accept" });
      await waiting;
      expect(runs).toEqual([]);
      expect(inner[0]).toMatchObject({
        ok: false,
        code: /denied/.test(what) ? "TOOL_NOT_ALLOWED" : "TOOL_DISABLED",
        meta: { tool: "danger" },
      });
    });
  }

  it("SD7: tells the approver which tools led to it", async () => {
    const asked: unknown[] = [];
    const { registry } = setUp({
      policy: readPolicyConfig(asking),
      approver: { ask: async ({ tool, parents }) => (asked.push([tool, parents]), { action: "decline" }) },
    });
    registry.register(
      defineTool({
        name: "outer",
        description: "Calls another.",
        inputSchema: { type: "object" },
        handler: async (_, { call }) => (await call("danger", {})).ok,
      }),
    );
    await registry.invoke("danger", {}, { caller });
    await registry.invoke("outer", {}, { caller });
    expect(asked).toEqual([
      ["danger", undefined],
      ["danger", ["outer"]],
    ]);
  });
});
