import { defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createMemorySecrets } from "../../src/call/ports/secrets.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { toStructured } from "../../src/tool/result.ts";

describe("a registered tool", () => {
  // row: A8
  it("is listed with its metadata, which goes unchanged through JSON", () => {
    const metadata = {
      category: "research",
      optionality: "conditional" as const,
      usageHint: "When numbers are needed.",
      examples: [{ description: "Two", input: { count: 2 }, output: { numbers: [4, 2] }, usage: "result.numbers[0]" }],
      requiresCapabilities: ["network"],
    };
    const registry = createRegistry();
    registry.register(fakeTool({ metadata }));
    const [entry] = registry.entries();
    expect(JSON.parse(JSON.stringify(entry!.tool)).metadata).toEqual(metadata);
  });

  // row: A7
  it("may be a legacy one with a name, a description and execute: it is listed and runs, without metadata", async () => {
    const registry = createRegistry();
    registry.register({ name: "old", description: "Is old.", execute: (input: object) => ({ got: input }) });
    expect(registry.list().map(({ name }) => name)).toEqual(["old"]);
    expect(registry.get("old")).not.toHaveProperty("metadata");
    expect(await registry.invoke("old", { any: 1 })).toMatchObject({ ok: true, data: { got: { any: 1 } } });
  });

  // row: A15
  it("for the owner alone is absent from the list of everybody else", () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "mine", metadata: { ownerOnly: true } }));
    const seenBy = (caller: object): string[] => registry.view(caller).tools.map(({ name }) => name);
    expect([seenBy({}), seenBy({ agent: "ada" }), seenBy({ owner: true })]).toEqual([[], [], ["mine"]]);
  });

  // row: A17
  it("whose secret is not set is listed as needing configuration, and says so when it is called", async () => {
    const registry = createRegistry({ secrets: createMemorySecrets() });
    registry.register(fakeTool({ metadata: { secrets: ["API_KEY"] } }));
    const [entry] = registry.entries();
    expect(entry).toMatchObject({ state: "needs-configuration", reason: expect.stringContaining("API_KEY") as string });
    const refused = await registry.invoke("echo", {});
    expect(refused).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION", error: expect.stringContaining("API_KEY") as string });
  });
});

describe("a call", () => {
  it.each([
    ["a required parameter that is missing", {}],
    ["a value of another type", { kind: "a", count: "many" }],
    ["a value that is not in the list", { kind: "c" }],
    ["a parameter that does not exist", { kind: "a", extra: 1 }],
    // row: D1
  ])("with %s is an input error, and the handler is not called", async (_what, input) => {
    const registry = createRegistry();
    let runs = 0;
    const properties = { kind: { type: "string", enum: ["a", "b"] }, count: { type: "integer" } };
    const inputSchema = { type: "object", properties, required: ["kind"], additionalProperties: false };
    registry.register(defineTool({ name: "strict", description: "Counts.", inputSchema, handler: () => String(++runs) }));
    expect(await registry.invoke("strict", input)).toMatchObject({ ok: false, code: "INPUT_INVALID", status: 400, issues: [{}] });
    expect(runs).toBe(0);
  });

  // row: B3
  it("has its time in the structured form, also when it fails", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "fine", handler: () => "done" }));
    registry.register(fakeTool({ name: "fails", handler: () => Promise.reject(new Error("no")) }));
    for (const [name, success] of [
      ["fine", true],
      ["fails", false],
    ] as const) {
      const structured = toStructured(await registry.invoke(name, {}));
      expect(Object.keys(structured).toSorted()).toEqual(["data", "error", "execution_time_ms", "success"]);
      expect(structured.success).toBe(success);
      expect(structured.execution_time_ms).toBeGreaterThan(0);
    }
  });
});
