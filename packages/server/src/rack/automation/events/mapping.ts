import { ToolError } from "@toolrack/core";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import { show } from "@toolrack/json-schema/internal";
import type { JsonObject } from "@toolrack/store";

/** How the input of a tool is made of an event: for each parameter, where its value comes from. */
export type InputMapping = Readonly<Record<string, MappedValue>>;

export interface MappedValue {
  /** JSON Pointer into the event: "/record/title"; "" is the whole event. */
  readonly from?: string;
  /** Always this. */
  readonly value?: unknown;
  /** Where the event has nothing at `from`. @default the parameter is left out */
  readonly default?: unknown;
}

/** The input for one event. Without a mapping, the event itself. */
export function mapInput(mapping: InputMapping | undefined, event: unknown): unknown {
  if (mapping === undefined) return event;
  const input = new Map<string, unknown>();
  for (const [name, { from, value, default: otherwise }] of Object.entries(mapping)) {
    const found = from === undefined ? value : (at(event, from) ?? otherwise);
    if (found !== undefined) input.set(name, found);
  }
  return Object.fromEntries(input);
}

/** Why a mapping cannot give the input that the schema of the tool asks for; undefined if it can. */
export function mappingFault(mapping: InputMapping, schema: JsonSchema): string | undefined {
  const wrong = Object.entries(mapping).find(([, { from, value }]) => (from === undefined) === (value === undefined));
  if (wrong !== undefined) return `The parameter ${show(wrong[0])} needs either from or value.`;
  if (typeof schema !== "object") return undefined;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const unknown = Object.keys(mapping).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined && schema["additionalProperties"] === false) return `The tool has no parameter ${show(unknown)}.`;
  const missing = ((schema["required"] ?? []) as readonly string[]).find((name) => !Object.hasOwn(mapping, name));
  if (missing !== undefined) return `The tool needs the parameter "${missing}", which the mapping does not give.`;
  for (const [name, { value }] of Object.entries(mapping)) {
    if (value === undefined || !Object.hasOwn(properties, name)) continue;
    const checked = validateValue(withDefinitions(properties[name]!, schema), value);
    if (!checked.ok) return `The value of ${show(name)} is wrong: ${checked.issues[0]!.message}`;
  }
  return undefined;
}

/** Throws INPUT_INVALID where the mapped input does not match the schema of the tool. */
export function checkInput(tool: string, schema: JsonSchema, input: unknown): JsonObject {
  const checked = validateValue(schema, input);
  if (checked.ok && typeof input === "object" && input !== null && !Array.isArray(input)) return input as JsonObject;
  const facts = checked.ok
    ? "It must be an object."
    : checked.issues
        .slice(0, 5)
        .map(({ message }) => message)
        .join(" ");
  throw new ToolError("INPUT_INVALID", `The event does not give an input that "${tool}" takes: ${facts}`);
}

/** References in a part of a schema are to the definitions of the whole. */
function withDefinitions(part: JsonSchema, whole: object): JsonSchema {
  const { $defs } = whole as { readonly $defs?: unknown };
  return typeof part === "object" && $defs !== undefined ? ({ $defs, ...part } as JsonSchema) : part;
}

function at(event: unknown, pointer: string): unknown {
  let value = event;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
