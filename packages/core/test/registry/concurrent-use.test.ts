import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolResult } from "../../src/tool/result.ts";

describe("a registry in use", () => {
  // row: C9
  it("finishes an iteration on its snapshot, whatever is registered and unregistered meanwhile", async () => {
    const registry = createRegistry();
    for (const name of ["a", "b", "c"]) registry.register(fakeTool({ name }));
    const [seen, entries]: [string[], string[]] = [[], []];
    for (const tool of registry.list()) {
      seen.push(tool.name);
      await settle();
      registry.register(fakeTool({ name: `${tool.name}-more` }));
      registry.unregister(tool.name);
    }
    for (const { tool } of registry.entries()) {
      entries.push(tool.name);
      registry.unregister(tool.name);
    }
    expect(seen).toEqual(["a", "b", "c"]);
    expect(entries).toEqual(["a-more", "b-more", "c-more"]);
    expect(registry.count).toBe(0);
  });

  // row: C9
  it("lets a call that is under way complete when its tool is unregistered, replaced or switched off", async () => {
    const registry = createRegistry();
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = fakeTool({ handler: async () => (await gate, "the old one") });
    registry.register(slow);
    const unregistered = registry.invoke("echo", {});
    registry.unregister("echo");
    registry.register(slow);
    const replaced = registry.invoke("echo", {});
    registry.register(fakeTool({ handler: () => "the new one" }), { onConflict: "replace" });
    expect(await registry.invoke("echo", {})).toMatchObject({ content: "the new one" });
    registry.register(slow, { onConflict: "replace" });
    const disabled = registry.invoke("echo", {});
    registry.disable("echo");
    expect(await registry.invoke("echo", {})).toMatchObject({ code: "TOOL_DISABLED" });
    release();
    for (const result of await Promise.all([unregistered, replaced, disabled]))
      expect(result).toMatchObject({ ok: true, content: "the old one" });
  });

  it("keeps its promises under any interleaving of register, unregister, switches, lists and calls", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const action = fc.oneof(
      fc.record({ kind: fc.constant("register" as const), name, waitMs: fc.nat(3) }),
      fc.record({ kind: fc.constantFrom("unregister" as const, "disable" as const, "enable" as const, "list" as const), name }),
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("invoke" as const), name, cancel: fc.boolean(), limited: fc.boolean() }) },
      fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(3) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const clock = createFakeClock();
        const registry = createRegistry({ clock, limits: { concurrency: 2 } });
        // What must be: the names in order, which of them are off, and what each may answer.
        let order: string[] = [];
        const off = new Set<string>();
        const running = new Map<string, number>();
        const answers: { promise: Promise<ToolResult>; allowed: readonly string[] }[] = [];
        const log: string[] = [];
        registry.subscribe(
          (event) => void (event.type.startsWith("call-") && log.push(`${event.type} ${"callId" in event ? event.callId : ""}`)),
        );

        for (const [index, step] of actions.entries()) {
          switch (step.kind) {
            case "register": {
              const handler = async (): Promise<string> => {
                running.set(step.name, (running.get(step.name) ?? 0) + 1);
                expect(running.get(step.name)).toBeLessThanOrEqual(2);
                await new Promise<void>((resolve) => void clock.after(step.waitMs, resolve));
                running.set(step.name, running.get(step.name)! - 1);
                return step.name;
              };
              registry.register(fakeTool({ name: step.name, handler }), { onConflict: "replace" });
              if (!order.includes(step.name)) order.push(step.name);
              break;
            }
            case "unregister":
              if (order.includes(step.name)) registry.unregister(step.name);
              order = order.filter((other) => other !== step.name);
              off.delete(step.name);
              break;
            case "disable":
            case "enable":
              if (!order.includes(step.name)) break;
              registry[step.kind](step.name);
              off[step.kind === "disable" ? "add" : "delete"](step.name);
              break;
            case "list":
              expect(registry.list().map((tool) => tool.name)).toEqual(order.filter((other) => !off.has(other)));
              expect(registry.entries().map(({ tool, state }) => [tool.name, state])).toEqual(
                order.map((other) => [other, off.has(other) ? "disabled" : "ready"]),
              );
              break;
            case "invoke": {
              const controller = new AbortController();
              const options = { callId: `call-${index}`, signal: controller.signal, ...(step.limited && { timeoutMs: 2 }) };
              const promise = registry.invoke(step.name, {}, options);
              const outcome = !order.includes(step.name) ? "TOOL_NOT_FOUND" : off.has(step.name) ? "TOOL_DISABLED" : undefined;
              answers.push({ promise, allowed: outcome === undefined ? ["ok", "ABORTED", "TIMEOUT"] : [outcome] });
              if (step.cancel) controller.abort();
              break;
            }
            case "pass":
              await clock.advance(step.ms);
          }
        }
        for (let turn = 0; turn < 100; turn++) await clock.advance(1);
        for (const { promise, allowed } of answers) {
          const result = await promise;
          expect(allowed).toContain(result.ok ? "ok" : result.code);
        }
        for (const kind of ["call-start", "call-end"]) expect(log.filter((line) => line.startsWith(kind))).toHaveLength(answers.length);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
