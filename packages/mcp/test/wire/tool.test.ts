import { defineTool, type ToolDefinition } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { noteListedFields } from "../../src/wire/listed-fields.ts";
import { outputSchemaFor, toMcpTool } from "../../src/wire/tool.ts";

const tool = (more: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({ name: "echo", description: "Echoes.", inputSchema: { type: "object" }, handler: () => "", ...more } as ToolDefinition);

describe("a tool as a list shows it", () => {
  it("has what its definition says", () => {
    const full = tool({
      title: "Echo",
      version: "1.2.0",
      outputSchema: { type: "object" },
      metadata: {
        category: "utility",
        optionality: "required",
        annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      },
    });
    expect(toMcpTool(full, "ready", "modern")).toEqual({
      name: "echo",
      title: "Echo",
      description: "Echoes.",
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      _meta: { "toolrack/category": "utility", "toolrack/optionality": "required", "toolrack/state": "ready", "toolrack/version": "1.2.0" },
    });
  });

  it("leaves out what says nothing", () => {
    expect(toMcpTool(tool(), "resting", "modern")).toEqual({
      name: "echo",
      description: "Echoes.",
      inputSchema: { type: "object" },
      _meta: { "toolrack/state": "resting" },
    });
    for (const hint of ["readOnly", "destructive", "idempotent", "openWorld"]) {
      const { annotations } = toMcpTool(tool({ metadata: { annotations: { [hint]: false } } }), "ready", "modern");
      expect(annotations).toEqual({ [`${hint}Hint`]: false });
    }
  });

  it("spells the type of its input out, and copies no schema for it", () => {
    const { inputSchema } = tool();
    expect(toMcpTool({ ...tool(), inputSchema }, "ready", "modern")["inputSchema"]).toBe(inputSchema);
    expect(toMcpTool(tool({ inputSchema: { properties: {} } }), "ready", "modern")["inputSchema"]).toEqual({
      properties: {},
      type: "object",
    });
  });

  it("promises no output that is not for the model, or that says nothing", () => {
    const outputSchema = { type: "object" };
    for (const [deliver, promised] of [
      ["user", undefined],
      ["none", undefined],
      ["model", outputSchema],
    ] as const)
      expect(outputSchemaFor({ ...tool({ outputSchema }), metadata: { deliver } } as ToolDefinition, "modern")).toEqual(promised);
    expect(outputSchemaFor({ ...tool(), outputSchema: true } as unknown as ToolDefinition, "modern")).toBeUndefined();
  });

  it("promises in the legacy era only outputs that are objects", () => {
    const list = { type: "array" };
    expect(outputSchemaFor(tool({ outputSchema: list }), "modern")).toEqual(list);
    expect(outputSchemaFor(tool({ outputSchema: list }), "legacy")).toBeUndefined();
    expect(outputSchemaFor(tool({ outputSchema: { type: "object" } }), "legacy")).toEqual({ type: "object" });
    expect(outputSchemaFor(tool(), "modern")).toBeUndefined();
  });
});

describe("a tool of a server", () => {
  it("keeps its `_meta` and the title of its annotations, but not keys of ours or of views", () => {
    const listed = tool({ title: "Echo" });
    const _meta = { "vendor/x": 1, "toolrack/state": "spoofed", ui: { resourceUri: "ui://x" }, "openai/outputTemplate": "ui://x" };
    noteListedFields(listed, { annotations: { title: "Echo it" }, _meta });
    expect(toMcpTool(listed, "ready", "legacy")).toMatchObject({
      title: "Echo",
      annotations: { title: "Echo it" },
      _meta: { "vendor/x": 1, "toolrack/state": "ready" },
    });
    expect(Object.keys(toMcpTool(listed, "ready", "legacy")["_meta"] as object)).toEqual(["vendor/x", "toolrack/state"]);
    const long = tool();
    noteListedFields(long, { _meta: { "vendor/x": "x".repeat(20_000) } });
    expect(toMcpTool(long, "ready", "legacy")["_meta"]).toEqual({ "toolrack/state": "ready" });
  });
});
