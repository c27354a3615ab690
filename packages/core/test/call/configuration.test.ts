import { describe, expect, it } from "vitest";
import { createMemoryConfig } from "../../src/call/ports/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

/** A registry with one tool. */
function registryWith(tool: Partial<ToolDefinition>, options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(fakeTool(tool));
  return registry;
}

describe("configuration", () => {
  // Call input goes before saved configuration, that before the schema's default, and each is there or not.
  it.each([
    [{ unit: "F" }, { unit: "K" }, "F"],
    [{ unit: "F" }, undefined, "F"],
    [{}, { unit: "K" }, "K"],
    [{}, undefined, "C"],
  ])("gives for input %o and saved %o the unit %s", async (input, saved, unit) => {
    const config = createMemoryConfig(saved === undefined ? {} : { echo: saved });
    const inputSchema = { type: "object", properties: { unit: { type: "string", default: "C" } } };
    const registry = registryWith({ inputSchema, handler: (given) => given }, { config });
    expect(await registry.invoke("echo", input)).toMatchObject({ ok: true, data: { unit } });
  });

  it("reaches the handler whole, and the input only where the schema has such a parameter", async () => {
    const saved = { unit: "K", apiVersion: 3, constructor: "x" };
    const inputSchema = { type: "object", properties: { unit: { type: "string" } }, additionalProperties: false };
    const registry = registryWith(
      { inputSchema, handler: (input, { config }) => ({ input, config }) },
      { config: createMemoryConfig({ echo: saved }) },
    );
    expect(await registry.invoke("echo", {})).toMatchObject({ data: { input: { unit: "K" }, config: saved } });
  });

  it("goes under the canonical name, so that an alias in the call wins over it", async () => {
    const inputSchema = { type: "object", properties: { filePath: { type: "string" } } };
    const registry = registryWith(
      { inputSchema, handler: (input) => input },
      { config: createMemoryConfig({ echo: { filePath: "saved" } }) },
    );
    expect(await registry.invoke("echo", { file_path: "given" })).toMatchObject({ data: { filePath: "given" } });
  });

  it("may have to be waited for, and a call fails where it cannot be read", async () => {
    const later = registryWith({}, { config: { get: async () => (await settle(), { text: "saved" }) } });
    expect(await later.invoke("echo", {})).toMatchObject({ content: "saved" });
    const throwing = (): never => {
      throw new Error("no database");
    };
    for (const get of [throwing, () => Promise.reject(new Error("no database"))]) {
      const result = await registryWith({ handler: () => expect.unreachable() }, { config: { get } }).invoke("echo", {});
      expect(result).toMatchObject({ code: "TOOL_FAILED" });
      expect(!result.ok && result.error).toContain("no database");
    }
  });
});

describe("the output of a tool", () => {
  const tool: Partial<ToolDefinition> = {
    outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    handler: ({ text }: { text?: string }) => (text === "as text" ? "just text" : text === undefined ? { n: 1 } : { n: text }),
  };

  // row: A12
  it("that does not match its schema is an error where checking is strict", async () => {
    const registry = registryWith(tool, { outputValidation: "strict" });
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: true, data: { n: 1 } });
    const wrong = await registry.invoke("echo", { text: "one" });
    expect(wrong).toMatchObject({ ok: false, code: "OUTPUT_INVALID", status: 502, issues: [{ path: "/n" }] });
    expect(await registry.invoke("echo", { text: "as text" })).toMatchObject({ code: "OUTPUT_INVALID" });
  });

  it("is passed on with a warning by default, and without one where checking is off", async () => {
    const warned = await registryWith(tool).invoke("echo", { text: "one" });
    expect(warned).toMatchObject({ ok: true, data: { n: "one" } });
    expect(warned.meta.warnings).toEqual([expect.stringContaining("does not match its output schema")]);
    expect((await registryWith(tool).invoke("echo", { text: "as text" })).meta.warnings).toHaveLength(1);
    const off = await registryWith(tool, { outputValidation: "off" }).invoke("echo", { text: "one" });
    expect(off).toMatchObject({ ok: true });
    expect(off.meta.warnings).toBeUndefined();
  });

  it("may be a text where the schema says so", async () => {
    const registry = registryWith({ outputSchema: { type: "string", minLength: 2 } }, { outputValidation: "strict" });
    expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({ ok: true, content: "hi" });
    expect(await registry.invoke("echo", { text: "h" })).toMatchObject({ code: "OUTPUT_INVALID" });
  });

  it("is not quoted in the warning, where nothing would redact it", async () => {
    const warned = await registryWith(tool, { redaction: { values: () => ["hunter2"] } }).invoke("echo", { text: "hunter2" });
    expect(JSON.stringify(warned)).not.toContain("hunter2");
  });
});

describe("near-miss inputs", () => {
  const inputSchema = { type: "object", properties: { limit: { type: "integer" } } };

  it("are read as they were meant, and reported, where repairing is on", async () => {
    const registry = registryWith({ inputSchema, handler: (input) => input }, { repairInputs: true });
    const repaired = await registry.invoke("echo", { limit: "5" });
    expect(repaired).toMatchObject({ ok: true, data: { limit: 5 } });
    expect(repaired.meta.repairs).toEqual([expect.stringContaining("limit")]);
    expect((await registry.invoke("echo", { limit: 5 })).meta.repairs).toBeUndefined();
    expect(await registry.invoke("echo", { limit: "many" })).toMatchObject({ code: "INPUT_INVALID" });
  });

  it("get their defaults after that, and are refused with every issue where one cannot be repaired", async () => {
    const properties = { ...inputSchema.properties, name: { type: "string" }, order: { type: "string", default: "up" } };
    const schema = { ...inputSchema, properties, required: ["name"] };
    const registry = registryWith({ inputSchema: schema, handler: (input) => input }, { repairInputs: true });
    expect(await registry.invoke("echo", { limit: "5", name: "a" })).toMatchObject({ data: { limit: 5, name: "a", order: "up" } });
    expect(await registry.invoke("echo", { limit: "5" })).toMatchObject({
      code: "INPUT_INVALID",
      issues: [{ path: "/limit" }, { path: "/name" }],
    });
  });

  it("are refused where it is off", async () => {
    expect(await registryWith({ inputSchema }).invoke("echo", { limit: "5" })).toMatchObject({ code: "INPUT_INVALID" });
  });
});
