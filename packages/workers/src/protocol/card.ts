import { createHash } from "node:crypto";
import { type AnyTool, defineTool, type ToolDefinition, ToolError } from "@toolrack/core";
import type { ToolCard } from "./messages.ts";

/** A tool as it is announced. Only plain data can travel. */
export function toCard(tool: AnyTool): ToolCard {
  const { name, title, description, inputSchema, outputSchema, metadata } = defineTool(tool as never) as ToolDefinition;
  return JSON.parse(JSON.stringify({ name, title, description, inputSchema, outputSchema, metadata })) as ToolCard;
}

/** The hash of a definition: a worker runs a call only if its own is the same. */
export function hashOf(card: ToolCard): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(card)))
    .digest("hex")
    .slice(0, 32);
}

/** What was announced, checked as far as it is used before the registry checks it: a name and an object. */
export function readCard(value: unknown): ToolCard {
  const card = value as Partial<ToolCard> | null;
  if (typeof card !== "object" || card === null || typeof card.name !== "string" || card.name === "" || card.name.length > 128)
    throw new ToolError("DEFINITION_INVALID", "A worker announced a tool without a name, or with a very long one.");
  return card as ToolCard;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
