import { defineTool, type HandlerReturn, type ToolDefinition } from "@toolrack/core";
import { cleanText } from "@toolrack/core/scan";
import type { McpSource, UpstreamText } from "@toolrack/mcp";
import type { JsonObject } from "@toolrack/store";
import { type NotedText, noteText } from "../trust/noted-texts.ts";
import { textForm } from "../trust/text-form.ts";

type Server = Pick<McpSource, "getPrompt" | "readResource">;

/**
 * What an MCP server says beside its tools, in the form of a tool, so that it passes the lock like one: "github__prompt.summarize". Its handler gets the
 * prompt, or reads the resource. It never reaches the registry of tools.
 */
export function textTool(text: UpstreamText, server: Server, isPassedOn: boolean): ToolDefinition {
  const { kind, name, shown } = text;
  const id = shown.replace("__", `__${kind === "instructions" ? "server" : kind}.`);
  const noted = {
    kind,
    print: kind === "instructions" ? "server" : kind === "prompt" ? "prompt" : "resource",
    // What was recorded while nobody got it is new to those who get it.
    name: kind === "instructions" ? `server:${name}${isPassedOn ? "" : " (not passed on)"}` : `${kind}:${name}`,
    isPassedOn,
  } as const satisfies Partial<NotedText>;

  function define(definition: JsonObject): ToolDefinition {
    const { title, description, instructions, inputSchema = noInput } = definition;
    const tool: ToolDefinition = defineTool({
      name: id,
      ...(typeof title === "string" && title !== "" && { title: cleanText(title) }),
      description: cleanText(String(kind === "instructions" ? instructions : (description ?? ""))),
      inputSchema: (kind === "resource-template" ? uriInput : inputSchema) as object,
      metadata: { tags: ["mcp", text.server], annotations: { readOnly: true } },
      handler: (input, context) => answer(input as Readonly<Record<string, string>>, context),
    });
    noteText(tool, { ...noted, definition, as: define });
    return tool;
  }

  function answer(
    input: Readonly<Record<string, string>>,
    context: Parameters<Server["readResource"]>[1],
  ): Promise<HandlerReturn> | string {
    if (kind === "prompt") return server.getPrompt(name, input, context);
    return kind === "instructions" ? "" : server.readResource(kind === "resource" ? name : input["uri"]!, context);
  }

  return define(textForm(kind, text.definition as JsonObject));
}

const noInput = { type: "object", properties: {} } as const;
const uriInput = { type: "object", properties: { uri: { type: "string" } }, required: ["uri"] } as const;
