import type { JsonSchema } from "../schema/schema.ts";
import type { Caller } from "./context.ts";

/** Everything a tool says about itself beside its schema. Absent is absent: nothing is guessed. */
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
  /** Drives the configuration form. */
  readonly configSchema?: JsonSchema;
  readonly secrets?: readonly string[];
  readonly annotations?: ToolAnnotations;
  readonly limits?: ToolLimits;
  /** Parameter aliases: { file_path: "path" }. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly deprecated?: { readonly since: string; readonly successor?: string };
}

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
  readonly timeoutMs?: number;
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
