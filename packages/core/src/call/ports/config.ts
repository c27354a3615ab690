import { isObject } from "@toolrack/json-schema/internal";
import type { ToolDefinition } from "../../tool/tool.ts";
import { checkArgument, type FieldKind } from "../../util/check-fields.ts";

/** The saved configuration of tools. Return values without a promise where possible: waiting costs every call. */
export interface ConfigPort {
  /** Required settings of a tool that are not saved: the tool then needs configuration and is not offered. @default none */
  missing?(tool: Pick<ToolDefinition, "name" | "metadata">): readonly string[];
  /** The saved values of one tool; undefined if there are none. */
  get(tool: string): Readonly<Record<string, unknown>> | undefined | Promise<Readonly<Record<string, unknown>> | undefined>;
}

export function createMemoryConfig(values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): ConfigPort & {
  set(tool: string, config: Readonly<Record<string, unknown>>): void;
} {
  checkArgument(values, savedValues, "createMemoryConfig");
  for (const [tool, config] of Object.entries(values)) checkArgument(config, settings, `createMemoryConfig, for tool "${tool}",`);
  const saved = new Map(Object.entries(values));
  return { get: (tool) => saved.get(tool), set: (tool, config) => void saved.set(tool, config) };
}

const savedValues: FieldKind = { is: 'an object of settings by tool, such as { weather: { unit: "celsius" } }', test: isObject };
const settings: FieldKind = { is: "an object of settings", test: isObject };
