import type { JsonSchema } from "@toolrack/json-schema";
import type { ErrorCode } from "../errors.ts";
import type { ToolResult } from "../tool/result.ts";

/** What a schema can be adapted to. */
export const schemaTargets = [
  "anthropic",
  "anthropic-strict",
  "openai",
  "openai-strict",
  "gemini",
  "gemini-openapi",
  "bedrock",
  "mistral",
  "cohere",
  "groq",
  "deepseek",
  "xai",
  "openrouter",
  "ollama",
  "generic",
] as const;

export type SchemaTarget = (typeof schemaTargets)[number];

/** "openai-strict" → "openai" */
export function looseTarget(target: SchemaTarget): SchemaTarget {
  return target === "openai-strict" ? "openai" : target === "anthropic-strict" ? "anthropic" : target;
}

/** Something the adapted schema no longer says. The original schema still does, and every call is checked against it. */
export interface Loss {
  /** A JSON pointer to the place: "/properties/age/minimum" is told as path "/properties/age" and keyword "minimum". */
  readonly path: string;
  readonly keyword: string;
  /** "dropped, and told in the description": what became of it. */
  readonly note: string;
}

/** What tools can be exported to: every schema target, and OpenAI's two wire formats by name ("openai" means Responses). */
export type ProviderTarget = SchemaTarget | "openai-responses" | "openai-chat";

/**
 * One vendor's wire format. Each is a leaf: it knows this interface and nothing of the others.
 *
 * Contract: no method throws for what a model or vendor sent; a call whose arguments cannot be read becomes a `WireCall` with `error`,
 * and the others are read as usual; `writeResults` answers each call once, in the order of the calls.
 */
export interface Provider {
  readonly name: string;
  /** For which target a schema is adapted. */
  readonly schemaTarget: SchemaTarget;
  readonly limits: ProviderLimits;
  /** The vendor's JavaScript SDK wants camelCase where its API has snake_case. */
  readonly sdkIsCamelCase?: boolean;
  /** One tool as the vendor declares it. */
  declare(tool: WireTool): unknown;
  /** All declarations, where the vendor wants them in a frame. @default the list itself */
  frame?(declarations: readonly unknown[]): readonly unknown[];
  /** The calls in a whole reply, or in the list of events or chunks of a streamed one. */
  readCalls(reply: unknown): readonly WireCall[];
  /** What to append to the conversation. */
  writeResults(answers: readonly Answer[]): readonly unknown[];
  /** The fields of a request that say which tools may or must be called, and whether several at once. */
  writeChoice(choice: WireChoice): Readonly<Record<string, unknown>>;
}

export interface ProviderLimits {
  /** A legal tool name. */
  readonly name: RegExp;
  readonly nameLength: number;
  /** Tools in one request. */
  readonly tools?: number;
  /** Strict tools in one request, and what they may use up together. */
  readonly strict?: { readonly tools: number; readonly optional: number; readonly unions: number };
}

/** A tool under its vendor name, with its schemas adapted. */
export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
  readonly examples?: readonly unknown[];
  readonly deferred?: boolean;
  readonly allowedCallers?: readonly string[];
  readonly outputSchema?: JsonSchema;
}

/** A call as it came over the wire. */
export interface WireCall {
  readonly id: string;
  /** The vendor's name of the tool. */
  readonly name: string;
  readonly input: unknown;
  /** Why the arguments could not be read. */
  readonly error?: string;
}

/** A call in the words of the registry. */
export interface ToolCall {
  readonly id: string;
  /** The tool's own name; the vendor's if no such tool was exported. */
  readonly name: string;
  /** The vendor's name, which an answer has to repeat. */
  readonly wireName: string;
  /** The arguments in the form of the tool's schema; not validated yet. */
  readonly input: unknown;
  /** The arguments could not be read: answer with this instead of calling. */
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

export interface Answer {
  readonly call: Pick<ToolCall, "id" | "name" | "wireName">;
  readonly result: ToolResult;
}

/** Which tools may be called: as the model likes, none, at least one, exactly this one, or one of these. */
export type ToolChoice =
  | "auto"
  | "none"
  | "required"
  | { readonly tool: string }
  | { readonly tools: readonly string[]; readonly mode?: "auto" | "required" };

/** The same with vendor names. */
export interface WireChoice {
  readonly choice: ToolChoice;
  /** Whether several calls may come at once; absent leaves it to the vendor. */
  readonly parallel?: boolean;
}
