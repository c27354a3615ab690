import crypto from "node:crypto";
import type { AnyTool, ToolDefinition } from "@toolrack/core";
import { readTool } from "@toolrack/core/internal";
import { upstreamToolOf } from "@toolrack/mcp";
import type { JsonObject } from "@toolrack/store";
import { notedOf } from "./noted-tools.ts";
import { type NotedText, textOf, toolKeyOf } from "./noted-texts.ts";

/** A tool as its source lists it. */
export interface SeenTool {
  readonly shape: AnyTool;
  readonly tool: ToolDefinition;
  /** The upstream's own name, marked where it could be taken for that of a text. */
  readonly name: string;
  /** Every field that a model may see, in the upstream's own form. */
  readonly definition: JsonObject;
  /** The hash of the definition as JSON. */
  readonly text: string;
  /** Instructions, a prompt or a resource; absent for a tool. */
  readonly beside?: NotedText;
}

const known = new WeakMap<AnyTool, SeenTool>();

/** Undefined for what is no tool: the registry leaves it out, and tells why. */
export function readSeen(shape: AnyTool): SeenTool | undefined {
  const before = known.get(shape);
  if (before !== undefined) return before;
  let tool: ToolDefinition;
  try {
    tool = readTool(shape);
  } catch {
    return undefined;
  }
  const beside = textOf(tool);
  const origin = beside ?? upstreamToolOf(tool);
  const definition = origin?.definition ?? formOf(tool);
  const name = beside?.name ?? toolKeyOf(origin?.name ?? tool.name);
  const seen = { shape, tool, name, definition, text: hashOf(JSON.stringify(definition)), ...(beside && { beside }) };
  known.set(shape, seen);
  return seen;
}

/** Everything that a tool of ours says, also on request, and where its requests go. */
function formOf(tool: ToolDefinition): JsonObject {
  const { name, title, description, version, inputSchema, outputSchema, metadata } = tool;
  return { name, title, description, version, inputSchema, outputSchema, ...metadata, ...notedOf(tool) };
}

/** In one step where Node has that, which is half the time for a short text. */
export const hashOf: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text, "base64url")
    : (text) => crypto.createHash("sha256").update(text).digest("base64url");
