import type { JsonSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject, nearestNames, readSchemaShape } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { Caller } from "./context.ts";

/** Everything a tool declares beside its schema. Nothing is guessed for an absent field. */
export interface ToolMetadata {
  /** One of the standard categories, or your own. */
  readonly category?: string;
  readonly optionality?: ToolOptionality;
  /** For conditional tools: required while true, not offered while false. Not serialised. */
  readonly when?: (caller: Caller) => boolean;
  /** When a model should reach for this tool. */
  readonly usageHint?: string;
  readonly examples?: readonly ToolExample[];
  readonly requiresCapabilities?: readonly string[];
  readonly tags?: readonly string[];
  readonly ownerOnly?: boolean;
  readonly pluginId?: string;
  /** Policy groups beyond the catalog's, e.g. grep in "fs". Ignored on plugin tools. */
  readonly groups?: readonly string[];
  /** Policy profiles beyond the catalog's, e.g. grep in "coding". Ignored on plugin tools. */
  readonly profiles?: readonly string[];
  /** Model-gated tools: patterns of model names, `*` being the only wildcard. */
  readonly models?: readonly string[];
  /** Parameters that hold paths, for the workspace guard and path rules. */
  readonly paths?: readonly string[];
  /** Artifacts that a successful call leaves behind. */
  readonly produces?: readonly string[];
  /** Artifacts that must exist before a call makes sense. */
  readonly consumes?: readonly string[];
  /**
   * Drives the configuration form. Two marks on a property: `"x-toolrack-admin": true` where it says to which host a secret of the tool is
   * sent (a server lets only admins change it), `"x-toolrack-secret": true` where it takes a reference, "secret:<name>".
   */
  readonly configSchema?: JsonSchema;
  readonly secrets?: readonly string[];
  /** Members of `context.services` that the handler needs: a registry without one of them refuses the tool. */
  readonly services?: readonly string[];
  readonly annotations?: ToolAnnotations;
  readonly limits?: ToolLimits;
  /** Parameter aliases: { file_path: "path" }. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly deprecated?: { readonly since: string; readonly successor?: string };
}

/** A tool that has typed services declares no others. */
export type ServiceNames<Services> = unknown extends Services ? object : { readonly services?: readonly (keyof Services & string)[] };

export type ToolOptionality = "required" | "optional" | "conditional";

export interface ToolExample {
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
  /** How to read the output: "result.numbers[0]". */
  readonly usage?: string;
}

export interface ToolAnnotations {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

export interface ToolLimits {
  /** False: the handler may take as long as it needs. */
  readonly timeoutMs?: number | false;
  readonly maxResultBytes?: number;
  readonly concurrency?: number;
}

/** The categories everybody shares; any other text is a category of your own. */
export const standardCategories: readonly { readonly name: string; readonly description: string }[] = Object.freeze(
  [
    { name: "code", description: "Code manipulation and analysis" },
    { name: "vcs", description: "Version control operations" },
    { name: "build", description: "Build and test operations" },
    { name: "research", description: "Information gathering" },
    { name: "publish", description: "Content publishing" },
    { name: "utility", description: "General utilities" },
  ].map((category) => Object.freeze(category)),
);

type Kind =
  | "text"
  | "texts"
  | "boolean"
  | "function"
  | "annotations"
  | "limits"
  | "deprecated"
  | "schema"
  | "examples"
  | "optionality"
  | "textMap";

/** Every field once, with the kind of its value. */
const fields: Record<keyof ToolMetadata, Kind> = {
  category: "text",
  optionality: "optionality",
  when: "function",
  usageHint: "text",
  examples: "examples",
  requiresCapabilities: "texts",
  tags: "texts",
  ownerOnly: "boolean",
  pluginId: "text",
  groups: "texts",
  profiles: "texts",
  models: "texts",
  paths: "texts",
  produces: "texts",
  consumes: "texts",
  configSchema: "schema",
  secrets: "texts",
  services: "texts",
  annotations: "annotations",
  limits: "limits",
  aliases: "textMap",
  deprecated: "deprecated",
};

const expected: Record<Kind, string> = {
  text: "a text",
  texts: "a list of texts",
  boolean: "true or false",
  function: "a function",
  annotations: "an object of readOnly, destructive, idempotent, openWorld, each true or false",
  limits: "an object of timeoutMs, maxResultBytes, concurrency, each a number above 0; timeoutMs may be false, for no limit",
  deprecated: "{ since, successor? }, both texts",
  schema: "a JSON Schema",
  examples: "a list of { description, input, output?, usage? }",
  optionality: '"required", "optional" or "conditional"',
  textMap: "an object of texts",
};

/** A frozen copy with every field checked. Throws DEFINITION_INVALID with the nearest name for an unknown field. */
export function readMetadata(metadata: unknown, tool: string): ToolMetadata {
  const wrong = (fact: string): ToolError => new ToolError("DEFINITION_INVALID", `Tool "${tool}": metadata${fact}`);
  if (!isObject(metadata)) throw wrong(" must be an object.");
  const read: JsonObject = {};
  for (const name of Object.keys(metadata)) {
    const value = metadata[name];
    if (value === undefined) continue;
    if (!Object.hasOwn(fields, name)) {
      const near = nearestNames(name, Object.keys(fields), 1)[0];
      throw wrong(
        `.${name} is not a known field.${near === undefined ? ` Known are ${Object.keys(fields).join(", ")}.` : ` Did you mean "${near}"?`}`,
      );
    }
    const kind = fields[name as keyof ToolMetadata];
    if (!fits(value, kind)) throw wrong(`.${name} must be ${expected[kind]}.`);
    read[name] = kind === "schema" ? readSchemaShape(value) : frozenCopy(value, wrong, name, 0);
  }
  return Object.freeze(read) as ToolMetadata;
}

function fits(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "boolean":
      return typeof value === "boolean";
    case "function":
      return typeof value === "function";
    case "annotations":
      return hasOnly(value, ["readOnly", "destructive", "idempotent", "openWorld"], (flag) => typeof flag === "boolean");
    case "limits":
      return hasOnly(
        isObject(value) && value["timeoutMs"] === false ? { ...value, timeoutMs: undefined } : value,
        ["timeoutMs", "maxResultBytes", "concurrency"],
        (limit) => typeof limit === "number" && limit > 0,
      );
    case "deprecated":
      return hasOnly(value, ["since", "successor"], (text) => typeof text === "string") && value["since"] !== undefined;
    case "schema":
      return isObject(value);
    case "examples":
      return (
        Array.isArray(value) &&
        value.every((example) => isObject(example) && typeof example["description"] === "string" && isObject(example["input"]))
      );
    case "optionality":
      return value === "required" || value === "optional" || value === "conditional";
    case "textMap":
      return isObject(value) && Object.values(value).every((item) => typeof item === "string");
  }
}

function hasOnly(value: unknown, names: readonly string[], isRight: (part: unknown) => boolean): value is JsonObject {
  return isObject(value) && Object.keys(value).every((name) => value[name] === undefined || (names.includes(name) && isRight(value[name])));
}

function frozenCopy(value: unknown, wrong: (fact: string) => ToolError, field: string, depth: number): unknown {
  if (typeof value === "bigint" || typeof value === "symbol") throw wrong(`.${field} holds a ${typeof value}, which is not JSON.`);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 64) throw wrong(`.${field} is circular, or nested more than 64 deep.`);
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, wrong, field, depth + 1)));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (key !== "__proto__") copy[key] = frozenCopy((value as JsonObject)[key], wrong, field, depth + 1);
  }
  return Object.freeze(copy);
}
