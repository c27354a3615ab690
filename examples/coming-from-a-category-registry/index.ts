// row: I18
// Tools with methods, categories and listeners, as in a registry written in Go, on a registry of Toolrack.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, type CallContext } from "@toolrack/core";
import {
  CodeAgentBundle,
  type ExtendedTool,
  type ExtendedToolMetadata,
  fromExtendedTool,
  NewToolRegistry,
  SimpleExtendedTool,
  ToolRequired,
} from "@toolrack/core/compat";
import { toolCallGrammar } from "@toolrack/core/grammar";
// #endregion

const files = new Map([["main.go", "package main"]]);
// #region tool
class FileTool implements ExtendedTool {
  Name(): string {
    return "file";
  }
  Description(): string {
    return "Reads and lists files.";
  }
  Execute(_context: CallContext, { action, path }: { action: string; path: string }): object {
    if (action === "list") return { success: true, output: [...files.keys()].join("\n") };
    const output = files.get(path);
    return output === undefined ? { success: false, error: `There is no file ${path}.` } : { success: true, output };
  }
  Metadata(): ExtendedToolMetadata {
    return {
      schema: {
        type: "object",
        properties: { action: { type: "string", enum: ["read", "list"] }, path: { type: "string" } },
        required: ["action", "path"],
      },
      category: "code",
      optionality: ToolRequired,
      usage_hint: "Before a file is changed.",
      examples: [{ description: "Read a source file", input: { action: "read", path: "main.go" } }],
      requires_capabilities: ["node"],
    };
  }
}
// #endregion

// #region registry
const tools = NewToolRegistry();
tools.Subscribe({
  OnToolRegistered: (tool) => console.log(`registered ${tool.Name()}`),
  OnToolUnregistered: (name) => console.log(`unregistered ${name}`),
});
tools.Register(new FileTool());
tools.Register(SimpleExtendedTool({ Name: () => "logit", Description: () => "Writes a line.", Execute: (_context, args) => args }));
console.log(tools.ListByCategory("code").map((tool) => tool.Name()));
console.log(tools.GetToolDescriptions().map(({ name, description }) => `${name}: ${description}`));
tools.Unregister("logit");
// #endregion

// #region call
const { registry } = tools; // everything else: calls, policies, sources, MCP
const read = await registry.invoke("file", { action: "read", path: "main.go" });
const wrong = await registry.invoke("file", { action: "reed", path: "main.go" });
console.log(read.ok && read.content, "|", wrong.ok || wrong.code);
console.log(registry.applyBundle(CodeAgentBundle).missing);
// #endregion

// #region json
const fromJson = JSON.parse(`{
  "name": "upper", "description": "Writes in capitals.",
  "input_schema": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
  "metadata": { "usage_hint": "For headings.", "requires_capabilities": ["node"] }
}`) as object;
registry.register({ ...fromJson, handler: ({ text }: { text: string }) => text.toUpperCase() } as never);
console.log(registry.get("upper")?.metadata?.usageHint);
// #endregion

// #region own
const own = createRegistry();
own.register(fromExtendedTool(new FileTool())); // one tool, in a registry without the names of Go
const grammar = toolCallGrammar(own.list());
// #endregion

assert(read.ok && !wrong.ok);
assert.match(grammar, /root/);
assert.deepEqual(Object.keys(tools.GetToolSchemas()), ["file", "upper"]);
assert.equal(registry.get("upper")?.metadata?.usageHint, "For headings.");
