import type { AnyTool, ToolDefinition, ToolSource } from "@toolrack/core";
import type { McpSource, UpstreamText } from "@toolrack/mcp";
import type { PassedOn } from "../../config/config.ts";
import { hashOf } from "../trust/seen.ts";
import { textTool } from "./text-tool.ts";

/** An MCP server whose list has, after its tools, what it says beside them. A text that did not change is the same value again. */
export function withTexts(source: McpSource, passOn: readonly PassedOn[]): ToolSource {
  let known: ReadonlyMap<string, ToolDefinition> = new Map();
  return {
    id: source.id,
    ...(source.identity !== undefined && { identity: source.identity }),
    async list(options): Promise<readonly AnyTool[]> {
      const tools = await source.list(options);
      const next = new Map<string, ToolDefinition>();
      for (const text of source.texts()) {
        const key = hashOf(JSON.stringify([text.kind, text.name, text.definition]));
        next.set(key, known.get(key) ?? textTool(text, source, passOn.includes(flagOf[text.kind])));
      }
      known = next;
      return next.size === 0 ? tools : [...tools, ...next.values()];
    },
    watch: (onChange) => source.watch(onChange),
    close: () => source.close(),
  };
}

const flagOf: Readonly<Record<UpstreamText["kind"], PassedOn>> = {
  instructions: "instructions",
  prompt: "prompts",
  resource: "resources",
  "resource-template": "resources",
};
