import type { JsonSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject, readSchemaShape } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import {
  anything,
  type FieldsOf,
  flag,
  listOf,
  method,
  objectWith,
  oneOf,
  positive,
  required,
  text,
  texts,
  timeLimit,
} from "../util/check-fields.ts";
import type { Caller } from "./context.ts";
import { type Deliver, deliveries } from "./deliver.ts";

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
  /** Those of `secrets` that the tool can do without, as where one of several is enough: it is on offer without them. */
  readonly optionalSecrets?: readonly string[];
  /** Whether at least one of the secrets must be set, where all of them are optional: without any, the tool is not on offer. @default false */
  readonly needsOneSecret?: boolean;
  /** What a secret is for, where it is not for the whole tool: `{ "slack-token": "the channel team" }`. */
  readonly secretUses?: Readonly<Record<string, string>>;
  /** Members of `context.services` that the handler needs: a registry without one of them refuses the tool. */
  readonly services?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /**
   * What everything in a result carries: `untrusted` if somebody else writes it, `private` if it is about people, `secret` if it must not leave.
   * Programs follow these labels to the arguments of later calls, where they are recorded and shown.
   */
  readonly labels?: readonly ResultLabel[];
  /** Who gets the results: "user" shows them to the person, and the model is told only that. A call may say otherwise. @default "model" */
  readonly deliver?: Deliver;
  readonly limits?: ToolLimits;
  /** What the handler reaches for. Declared for those who decide about the tool; nothing holds it to that. */
  readonly needs?: ToolNeeds;
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

export type ResultLabel = "untrusted" | "private" | "secret";

export interface ToolLimits {
  /** False: the handler may take as long as it needs. */
  readonly timeoutMs?: number | false;
  readonly maxResultBytes?: number;
  readonly concurrency?: number;
}

export interface ToolNeeds {
  /** Memory in megabytes. */
  readonly memoryMb?: number;
  /** Hosts it connects to: "api.example.com", "*.example.com", "db.internal:5432". */
  readonly hosts?: readonly string[];
  /** Files and folders, by what is done to them; relative ones are in the workspace. */
  readonly files?: { readonly read?: readonly string[]; readonly write?: readonly string[] };
  /** Programs it starts: "git". */
  readonly programs?: readonly string[];
  /** Rights by names of your own: "calendar.write". */
  readonly permissions?: readonly string[];
}

/** Every field once, with what may stand in it. */
export const metadataFields: FieldsOf<ToolMetadata> = {
  category: text,
  optionality: oneOf("required", "optional", "conditional"),
  when: method,
  usageHint: text,
  examples: listOf("{ description, input }", isObject, {
    description: required(text),
    input: required({ is: "an object", test: isObject }),
    output: anything,
    usage: text,
  } satisfies FieldsOf<ToolExample>),
  requiresCapabilities: texts,
  tags: listOf("tags of 1 to 256 characters without spaces", (tag) => typeof tag === "string" && /^[^\s\p{C}]{1,256}$/u.test(tag)),
  ownerOnly: flag,
  pluginId: text,
  groups: texts,
  profiles: texts,
  models: texts,
  paths: texts,
  produces: texts,
  consumes: texts,
  configSchema: { is: "a JSON Schema", test: isObject },
  secrets: texts,
  optionalSecrets: texts,
  needsOneSecret: flag,
  secretUses: { is: "an object of texts", test: (value) => isObject(value) && texts.test(Object.values(value)) },
  services: texts,
  labels: listOf('"untrusted", "private" or "secret"', (label) => label === "untrusted" || label === "private" || label === "secret"),
  annotations: objectWith({ readOnly: flag, destructive: flag, idempotent: flag, openWorld: flag } satisfies FieldsOf<ToolAnnotations>),
  deliver: oneOf(...deliveries),
  limits: objectWith({ timeoutMs: timeLimit, maxResultBytes: positive, concurrency: positive } satisfies FieldsOf<ToolLimits>),
  needs: objectWith({
    memoryMb: positive,
    hosts: texts,
    files: objectWith({ read: texts, write: texts } satisfies FieldsOf<NonNullable<ToolNeeds["files"]>>),
    programs: texts,
    permissions: texts,
  } satisfies FieldsOf<ToolNeeds>),
  aliases: { is: "an object of texts", test: (value) => isObject(value) && texts.test(Object.values(value)) },
  deprecated: objectWith({ since: required(text), successor: text }),
};

/** A frozen copy of metadata that was checked. */
export function copyMetadata(metadata: ToolMetadata, tool: string): ToolMetadata {
  const wrong = (fact: string): ToolError => new ToolError("DEFINITION_INVALID", `Tool "${tool}": metadata${fact}`);
  const read: JsonObject = {};
  for (const [name, value] of Object.entries(metadata)) {
    if (value !== undefined) read[name] = name === "configSchema" ? readSchemaShape(value) : frozenCopy(value, wrong, name, 0);
  }
  return Object.freeze(read) as ToolMetadata;
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
