import type { JsonSchema } from "@toolrack/json-schema";
import type { ErrorCode } from "../errors.ts";
import type { ToolResult } from "../tool/result.ts";
import type { AdaptPass } from "./adapt/pass.ts";
import type { ShapeRules } from "./adapt/shape/shaper.ts";
import type { VendorRule } from "./rules/rule.ts";
import type { WireShapes } from "./shapes/shapes.ts";

/**
 * Everything about one vendor: how tools, calls and results look on the wire, what a request may hold, how a schema is adapted, and which
 * schemas the vendor accepts. Make one with `defineProvider`. Built-in vendors are values of this type, one file each.
 */
export interface Provider<Name extends string = string, Shapes extends WireShapes = WireShapes> {
  readonly name: Name;
  /** Who runs the models, for patterns such as "openai/gpt-*" in a tool's `metadata.models`. @default the name */
  readonly vendor?: string;
  readonly wire: ProviderWire<Shapes>;
  readonly limits: ProviderLimits;
  /** How a schema is adapted to the vendor. */
  readonly schema: ProviderSchema;
  /** What the vendor accepts. Every exported schema is checked against these rules; a tool that breaks one is left out of the export. */
  readonly rules: readonly VendorRule[];
  /** The vendor's strict mode. @default the vendor has none */
  readonly strict?: StrictMode;
  /**
   * Parameter names that a tool lists in `metadata.aliases` are shown in its schema (not in strict mode), and renamed when a call is read.
   * @default false
   */
  readonly aliases?: boolean;
}

/**
 * How a vendor writes tools, calls and results.
 *
 * Contract: no method throws for what a model or vendor sent; a call whose arguments cannot be read becomes a `WireCall` with `error`,
 * and the other calls are read as usual; so does a call that a cut reply left incomplete; `writeResults` answers each call once, in the order of the calls.
 */
export interface ProviderWire<Shapes extends WireShapes = WireShapes> {
  /** One tool as the vendor declares it. */
  declare(tool: WireTool): Shapes["declaration"];
  /** Wraps the list of declarations, for vendors that want an object around it. @default the list itself */
  frame?(declarations: readonly Shapes["declaration"][]): readonly Shapes["tool"][];
  /** The calls in a whole reply, or in the list of events or chunks of a streamed one. */
  readCalls(reply: unknown): readonly WireCall[];
  /**
   * Whether a value in which `readCalls` finds no call is a reply of the vendor all the same: whole, or events or chunks of one.
   * What is not is refused. @default every value is taken for a reply
   */
  isReply?(reply: unknown): boolean;
  /**
   * Why a reply is no answer, in a sentence that may begin with "it": an error that the vendor sent, a response that failed or is not ready, a blocked
   * prompt. Such a reply is refused with this reason. @default no reply is looked at
   */
  readFailure?(reply: unknown): string | undefined;
  /** The messages to append to the conversation. */
  writeResults(answers: readonly AnsweredCall[]): readonly Shapes["message"][];
  /** The fields of a request that say which tools may or must be called, and whether several at once. */
  writeChoice(choice: WireChoice): Shapes["choice"];
  /** The vendor's JavaScript SDK takes camelCase where its API has snake_case. @default false */
  readonly sdkIsCamelCase?: Shapes["sdkIsCamelCase"];
  /** The vendor's own search for tools that are sent with `deferred`. @default the vendor has none */
  readonly toolSearch?: ProviderToolSearch<Shapes>;
}

export interface ProviderToolSearch<Shapes extends WireShapes = WireShapes> {
  /** The declaration that switches the search on. It stands before the tools. */
  readonly tool: Readonly<Shapes["search"]>;
  /** What a search of ours found, as the vendor expects it: vendor names, and the declarations of the same tools. */
  writeFound(found: {
    readonly names: readonly string[];
    readonly declarations: readonly Shapes["declaration"][];
    readonly callId: string;
  }): Shapes["found"];
}

export interface ProviderLimits {
  /** A legal tool name. Other names are changed: "files.read" → "files_read_1f0c93ab". */
  readonly name: RegExp;
  readonly nameLength: number;
  /** Tools in one request. @default no limit */
  readonly tools?: number;
  /** Strict tools in one request, and the optional properties and unions that all of them may have together. @default no limit */
  readonly strict?: { readonly tools: number; readonly optional: number; readonly unions: number };
}

/** How a schema is adapted: `passes` only loosen it, then `shape` changes the form of values, then `finalPasses` change its spelling. */
export interface ProviderSchema {
  readonly passes: readonly AdaptPass[];
  /** What the vendor's schemas cannot express, and in which form values are sent instead. @default values keep their form */
  readonly shape?: ShapeRules;
  /** Whether a schema needs the shape step. @default always */
  readonly needsShape?: (schema: JsonSchema) => boolean;
  /** Passes that run after the shape step. @default none */
  readonly finalPasses?: readonly AdaptPass[];
  /** Where a schema starts: always in normal form, or as its author wrote it if it uses no unusual keyword. @default "normal" */
  readonly start?: "normal" | "as-written";
  /** With `start: "as-written"`: further keywords that the passes understand only in normal form. @default none */
  readonly normalizeFor?: readonly string[];
}

/** A vendor's strict mode: the model can give only arguments that match the schema, and the schema has to be of a narrower kind. */
export interface StrictMode {
  readonly schema: ProviderSchema;
  readonly rules: readonly VendorRule[];
  /** Whether tools are strict unless an option says otherwise. @default false */
  readonly byDefault?: boolean;
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

/** A call with the tool's own name and the arguments in the form of its schema. */
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

export interface AnsweredCall {
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
  /** Whether several calls may come at once. @default the vendor decides */
  readonly parallel?: boolean;
}
