import type { ToolAnnotations, ToolLimits } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";

/** How a tool that belongs to somebody else is shown and called here. Whatever is absent stays as its source has it. */
export interface ToolOverlay {
  /** The name here. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Neither listed nor callable. False, in what an admin sets: shown although the file hides it. */
  readonly hidden?: boolean;
  readonly parameters?: Readonly<Record<string, ParameterOverlay>>;
  /** Parameters that hold paths, and a folder that none of them may leave: added to those that are checked without it. */
  readonly paths?: SourcePathsConfig;
  /** Added to those that it has. */
  readonly groups?: readonly string[];
  readonly tags?: readonly string[];
  /** In place of those that it has. */
  readonly limits?: ToolLimits;
  readonly annotations?: ToolAnnotations;
}

/** Which parameters hold paths, and where these lead. */
export interface SourcePathsConfig {
  /** No path may leave it, and relative ones start there: a path, from the folder of the configuration. */
  readonly folder: string;
  /** @default ["path"] */
  readonly parameters?: readonly string[];
}

/** One parameter, by the name that it has at the top level of the input schema. */
export interface ParameterOverlay {
  readonly description?: string;
  /**
   * Callers neither see nor give it. Only for a parameter that is not required. False, in what an admin sets: callers see and give it although the
   * file hides or pins it.
   */
  readonly hidden?: boolean;
  /** Callers neither see nor give it: every call has this value. Visible to whoever reads the configuration: no place for a secret. */
  readonly value?: unknown;
  /** Fewer values, and tighter limits, than the parameter has. */
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const text = { type: "string", minLength: 1, maxLength: 20_000 };
const texts = { type: "array", items: { type: "string", minLength: 1, maxLength: 128 }, maxItems: 100 };
const number = { type: "number" };
const count = { type: "integer", minimum: 0 };
const flag = { type: "boolean" };

const parameterSchema: JsonSchema = {
  type: "object",
  properties: {
    description: text,
    hidden: flag,
    value: {},
    enum: { type: "array", maxItems: 1_000 },
    minimum: number,
    maximum: number,
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
  },
  minProperties: 1,
  additionalProperties: false,
};

/** Of a source and of an overlay. */
export const pathsSchema: JsonSchema = {
  type: "object",
  description: "A folder that no path may leave, and the parameters that hold paths.",
  properties: {
    folder: { type: "string", minLength: 1, maxLength: 4_096 },
    parameters: { ...texts, minItems: 1 },
  },
  required: ["folder"],
  additionalProperties: false,
};

/** Of one overlay: in the configuration file, in requests and in records. */
export const overlaySchema: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$" },
    title: text,
    description: text,
    hidden: flag,
    parameters: { type: "object", additionalProperties: parameterSchema, maxProperties: 200 },
    paths: pathsSchema,
    groups: texts,
    tags: texts,
    limits: {
      type: "object",
      properties: {
        timeoutMs: { anyOf: [{ type: "integer", minimum: 1 }, { const: false }] },
        maxResultBytes: { type: "integer", minimum: 1 },
        concurrency: { type: "integer", minimum: 1 },
      },
      additionalProperties: false,
    },
    annotations: {
      type: "object",
      properties: { readOnly: flag, destructive: flag, idempotent: flag, openWorld: flag },
      additionalProperties: false,
    },
  },
  minProperties: 1,
  additionalProperties: false,
};
