import type { JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { cleanText, hiddenIn, unseenIn } from "../util/hidden-text.ts";

/** Where a definition held hidden characters: "inputSchema.properties.path.description: U+202E, U+200B". */
export type HiddenText = string;

export interface DefinitionCleaner {
  /** Prose without its hidden characters. */
  text(text: string, field: string): string;
  /** A read schema, or metadata: the same value where there is nothing to take out. Throws for what a call has to repeat. */
  value<Value>(value: Value, field: string): Value;
  readonly found: readonly HiddenText[];
}

/**
 * Takes out of a definition what a model would read and no person sees. Prose is cleaned; in what a call has to repeat (names of
 * parameters, values, defaults, patterns) such a character is refused, because without it the text means something else.
 */
export function createDefinitionCleaner(tool: string): DefinitionCleaner {
  const found: HiddenText[] = [];

  function text(original: string, field: string): string {
    const cleaned = cleanText(original);
    if (cleaned !== original) found.push(`${field}: ${hiddenIn(original).join(", ")}`);
    return cleaned;
  }

  function refuse(original: string, field: string): void {
    const unseen = unseenIn(original);
    if (unseen.length === 0) return;
    throw new ToolError(
      "DEFINITION_INVALID",
      `Tool "${tool}": ${field} contains invisible characters (${unseen.join(", ")}). Remove them.`,
    );
  }

  function walk(value: unknown, field: string, isData: boolean): unknown {
    if (typeof value === "string") {
      refuse(value, field);
      return value;
    }
    if (Array.isArray(value)) return walkItems(value, field, isData);
    return typeof value === "object" && value !== null ? walkFields(value as JsonObject, field, isData) : value;
  }

  function walkItems(items: readonly unknown[], field: string, isData: boolean): readonly unknown[] {
    let changed: unknown[] | undefined;
    for (const [index, item] of items.entries()) {
      const cleaned = walk(item, `${field}[${index}]`, isData);
      if (cleaned !== item) (changed ??= [...items])[index] = cleaned;
    }
    return changed === undefined ? items : Object.freeze(changed);
  }

  function walkFields(fields: JsonObject, field: string, isData: boolean): JsonObject {
    let changed: Record<string, unknown> | undefined;
    for (const [key, inner] of Object.entries(fields)) {
      refuse(key, `a name in ${field}`);
      const place = `${field}.${key}`;
      const isProse = !isData && typeof inner === "string" && prose.has(key);
      const cleaned = isProse ? text(inner, place) : walk(inner, place, isData || data.has(key));
      if (cleaned !== inner) (changed ??= { ...fields })[key] = cleaned;
    }
    return changed === undefined ? fields : Object.freeze(changed);
  }

  return { text, value: <Value>(value: Value, field: string) => walk(value, field, false) as Value, found };
}

const prose: ReadonlySet<string> = new Set(["title", "description", "$comment", "usageHint", "usage"]);
/** What is below these is a value, whatever its keys are called. */
const data: ReadonlySet<string> = new Set(["enum", "const", "default", "input", "output"]);
