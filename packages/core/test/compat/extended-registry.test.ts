import { describe, expect, it } from "vitest";
import {
  BlogAgentBundle,
  CodeAgentBundle,
  type ExtendedTool,
  fromExtendedTool,
  NewToolRegistry,
  SimpleExtendedTool,
  ToolConditional,
  ToolOptional,
  ToolRequired,
} from "../../src/exports/compat.ts";
import { executeTool } from "../../src/tool/array.ts";
import { defineTool } from "../../src/tool/tool.ts";

class FileTool implements ExtendedTool {
  readonly #files = new Map([["main.go", "package main"]]);
  Name(): string {
    return "file";
  }
  Description(): string {
    return "Reads files.";
  }
  Execute(_context: unknown, { path }: { path: string }): object {
    const output = this.#files.get(path);
    return output === undefined ? { success: false, error: `no file ${path}` } : { success: true, output };
  }
  Metadata(): ReturnType<ExtendedTool["Metadata"]> {
    return {
      schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      category: "code",
      optionality: "required",
      usage_hint: "Read before you change.",
      examples: [{ description: "Read one", input: { path: "main.go" } }],
      requires_capabilities: ["node"],
    };
  }
}

const plain = SimpleExtendedTool({ Name: () => "note", Description: () => "Notes.", Execute: (_context, args) => JSON.stringify(args) });

describe("an ExtendedTool", () => {
  it("becomes a definition with its schema and all of its metadata", async () => {
    const tool = fromExtendedTool(new FileTool());
    expect(tool).toMatchObject({
      name: "file",
      inputSchema: { required: ["path"] },
      metadata: { category: "code", optionality: "required", usageHint: "Read before you change.", requiresCapabilities: ["node"] },
    });
    expect(await executeTool(tool, { path: "main.go" })).toMatchObject({ ok: true, content: "package main" });
    expect(await executeTool(tool, { path: "x" })).toMatchObject({ ok: false, error: "no file x" });
    expect(await executeTool(tool, {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("without metadata, as SimpleExtendedTool makes it, takes any arguments and says nothing more", async () => {
    expect(plain.Metadata()).toBeUndefined();
    const tool = fromExtendedTool(plain);
    expect(tool).not.toHaveProperty("metadata");
    expect(await executeTool(tool, { a: 1 })).toMatchObject({ ok: true, content: '{"a":1}' });
  });
});

describe("NewToolRegistry", () => {
  it("registers, finds and lists tools as they were given", () => {
    const tools = NewToolRegistry();
    const file = new FileTool();
    tools.Register(file);
    tools.Register(plain);
    expect(tools.Get("file")).toBe(file);
    expect(tools.Get("gone")).toBeUndefined();
    expect(tools.List()).toEqual([file, plain]);
    expect(tools.ListByCategory("code")).toEqual([file]);
    expect([ToolRequired, ToolOptional, ToolConditional].map((one) => tools.ListByOptionality(one))).toEqual([[file], [], []]);
    tools.Unregister("file");
    expect(tools.List()).toEqual([plain]);
  });

  it("fills CodeAgentBundle and BlogAgentBundle from its tools", () => {
    const tools = NewToolRegistry();
    tools.Register(new FileTool());
    const { tools: found, missing } = tools.registry.applyBundle(CodeAgentBundle);
    expect(found.map(({ name }) => name)).toEqual(["file"]);
    expect(missing).toEqual(["code_edit", "search", "navigate", "git"]);
    const missingOptional = ["rss_feed", "calendar", "static_links", "blog_notion", "web_search"];
    expect(tools.registry.applyBundle(BlogAgentBundle)).toEqual({ tools: [], missing: [], missingOptional });
  });

  it("throws where a name is taken, and where a name is unknown", () => {
    const tools = NewToolRegistry();
    tools.Register(plain);
    expect(() => tools.Register(plain)).toThrow(expect.objectContaining({ code: "NAME_TAKEN" }));
    expect(() => tools.Unregister("gone")).toThrow(expect.objectContaining({ code: "TOOL_NOT_FOUND" }));
  });

  it("gives descriptions and schemas for a model", () => {
    const tools = NewToolRegistry();
    tools.Register(new FileTool());
    expect(tools.GetToolDescriptions()).toMatchObject([{ name: "file", description: "Reads files.", parameters: { type: "object" } }]);
    expect(tools.GetToolSchemas()).toMatchObject({ file: { required: ["path"] } });
  });

  it("tells listeners what comes and goes, once each, until they leave", () => {
    const tools = NewToolRegistry();
    const seen: string[] = [];
    const listener = {
      OnToolRegistered: (tool: ExtendedTool) => void seen.push(`+${tool.Name()}`),
      OnToolUnregistered: (name: string) => void seen.push(`-${name}`),
    };
    tools.Subscribe(listener);
    tools.Subscribe(listener);
    tools.Register(plain);
    tools.Unregister("note");
    tools.Unsubscribe(listener);
    tools.Register(plain);
    expect(seen).toEqual(["+note", "-note"]);
  });

  it("shows tools that came another way in the same form, and they can be executed by another tool", async () => {
    const tools = NewToolRegistry();
    tools.registry.register(
      defineTool({
        name: "up",
        description: "Upper case.",
        inputSchema: { type: "object" },
        metadata: { usageHint: "Loudly." },
        handler: () => "UP",
      }),
    );
    const up = tools.Get("up")!;
    expect([up.Name(), up.Description(), up.Metadata()]).toEqual([
      "up",
      "Upper case.",
      { schema: { type: "object" }, usage_hint: "Loudly." },
    ]);
    tools.Register(SimpleExtendedTool({ Name: () => "via", Description: () => "", Execute: (context) => up.Execute(context, {}) }));
    expect(await tools.registry.invoke("via", {})).toMatchObject({ ok: true, content: "UP" });
  });
});
