import type { ToolDefinition } from "../../tool/tool.ts";

/** Where the saved configuration of tools lives. An answer at hand is returned as it is; waiting costs every call. */
export interface ConfigPort {
  /** Required settings of a tool that are not saved: it then needs configuration, and is not offered. @default none */
  missing?(tool: Pick<ToolDefinition, "name" | "metadata">): readonly string[];
  /** The saved values of one tool; undefined where none were saved. */
  get(tool: string): Readonly<Record<string, unknown>> | undefined | Promise<Readonly<Record<string, unknown>> | undefined>;
}

export function createMemoryConfig(values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): ConfigPort & {
  set(tool: string, config: Readonly<Record<string, unknown>>): void;
} {
  const saved = new Map(Object.entries(values));
  return { get: (tool) => saved.get(tool), set: (tool, config) => void saved.set(tool, config) };
}
