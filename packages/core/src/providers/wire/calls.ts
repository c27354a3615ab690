import type { ToolResult } from "../../tool/result.ts";
import type { ExportedTools, TargetOf } from "./export.ts";
import { camelCased } from "../format/parts.ts";
import type { Provider, ToolCall, ToolChoice } from "../provider.ts";
import { providerFor, type ShapesOf, type VendorTarget } from "../providers.ts";
import type { CamelCased, WireShapes } from "../shapes/shapes.ts";
import { checkChoice, checkResults } from "./check-arguments.ts";
import { checkFields } from "../../util/check-fields.ts";
import { choiceFields, resultFields } from "./options.ts";
import { checkNames } from "./names.ts";
import { refuseFailure, refuseReply } from "./refuse-reply.ts";

/**
 * The tool calls in a vendor's reply: a whole one, or the list of events or chunks of a streamed one. Given the exported tools, names and
 * arguments come back in the tools' own form. A call whose arguments cannot be read, or were cut off, carries an `error`; the others are not
 * affected. Throws REPLY_INVALID for what is not a reply of the vendor (another vendor's, a text, a promise, nothing), and for a vendor's error.
 */
export function readCalls<Reply, const Source extends VendorTarget | ExportedTools>(
  reply: ReplyOf<Reply, ShapesOf<TargetOf<Source>>["reply"]>,
  source: Source,
): readonly ToolCall[];
export function readCalls(reply: unknown, source: VendorTarget | ExportedTools): readonly ToolCall[] {
  const exported = isExported(source) ? source : undefined;
  const provider = providerOf(source);
  const failure = provider.wire.readFailure?.(reply);
  if (failure !== undefined) throw refuseFailure(failure, provider);
  const calls = provider.wire.readCalls(reply);
  if (calls.length === 0 && provider.wire.isReply?.(reply) === false) throw refuseReply(reply, provider);
  return calls.map((call) => {
    const name = exported?.names[call.name] ?? call.name;
    const base = { id: call.id, name, wireName: call.name };
    const error = call.error ?? (name === "" ? "The call names no tool. Ask the model again." : undefined);
    if (error !== undefined) return { ...base, input: call.input, error: { code: "INPUT_INVALID", message: `Tool "${name}": ${error}` } };
    return { ...base, input: exported === undefined ? call.input : exported.decode(call.name, call.input) };
  });
}

/** A value of an unknown type, such as parsed JSON, is looked at only when it is read. */
export type ReplyOf<Reply, Wanted> = unknown extends Reply ? Reply : Reply extends Wanted ? Reply : Wanted;

/** The messages or items that answer the calls, in their order. A call without a result is answered as failed, because vendors insist on an answer. */
export function writeResults<const Source extends VendorTarget | ExportedTools, Spelling extends "api" | "sdk" = "api">(
  calls: readonly ToolCall[],
  results: readonly (ToolResult | undefined)[],
  source: Source,
  options?: SpellingOptions<Spelling>,
): Spelled<ShapesOf<TargetOf<Source>>, "message", Spelling>[];
export function writeResults(
  calls: readonly ToolCall[],
  results: readonly (ToolResult | undefined)[],
  source: VendorTarget | ExportedTools,
  options?: SpellingOptions,
): readonly unknown[] {
  const provider = providerOf(source);
  checkResults(calls, results);
  if (options !== undefined) checkFields(options, resultFields, { subject: "writeResults", word: "option" });
  const written = provider.wire.writeResults(calls.map((call, index) => ({ call, result: results[index] ?? unanswered(call) })));
  return isForSdk(provider, options) ? written.map(camelCased) : written;
}

/** The fields of a request that steer the choice of tools, with the tools' own names given. */
export function writeChoice<const Source extends VendorTarget | ExportedTools, Spelling extends "api" | "sdk" = "api">(
  choice: ToolChoice,
  source: Source,
  options?: SpellingOptions<Spelling> & { readonly parallel?: boolean },
): Spelled<ShapesOf<TargetOf<Source>>, "choice", Spelling>;
export function writeChoice(
  choice: ToolChoice,
  source: VendorTarget | ExportedTools,
  options?: SpellingOptions & { readonly parallel?: boolean },
): object {
  const exported = isExported(source) ? source : undefined;
  const provider = providerOf(source);
  checkChoice(choice);
  if (options !== undefined) checkFields(options, choiceFields, { subject: "writeChoice", word: "option" });
  if (exported !== undefined && typeof choice === "object")
    checkNames(namesIn(choice), new Set([...Object.values(exported.names), ...Object.keys(exported.names)]), "writeChoice");
  const wire = new Map(Object.entries(exported?.names ?? {}).map(([vendor, own]) => [own, vendor]));
  const named = (name: string): string => wire.get(name) ?? name;
  const written = provider.wire.writeChoice({
    choice: renamed(choice, named),
    ...(options?.parallel !== undefined && { parallel: options.parallel }),
  });
  return isForSdk(provider, options) ? (camelCased(written) as object) : written;
}

/** A part of the shapes in the spelling of the API, or in that of the SDK where it differs. */
export type Spelled<Shapes extends WireShapes, Part extends "message" | "choice", Spelling> = Shapes extends WireShapes
  ? [Spelling, Shapes["sdkIsCamelCase"]] extends ["sdk", true]
    ? CamelCased<Shapes[Part]>
    : Shapes[Part]
  : never;

export interface SpellingOptions<Spelling extends "api" | "sdk" = "api" | "sdk"> {
  /**
   * Whether fields are spelled as the vendor's API has them or as its JavaScript SDK takes them. Only the SDKs of Mistral and Cohere
   * differ: `toolCallId` for `tool_call_id`, and they drop the other spelling without a word. Replies are read in both. @default "api"
   */
  readonly spelling?: Spelling;
}

function isExported(source: VendorTarget | ExportedTools): source is ExportedTools {
  return typeof source === "object" && source !== null && "names" in source;
}

function providerOf(source: VendorTarget | ExportedTools): Provider {
  return providerFor(isExported(source) ? source.target : source);
}

function isForSdk(provider: Provider, options: SpellingOptions | undefined): boolean {
  return options?.spelling === "sdk" && provider.wire.sdkIsCamelCase === true;
}

function namesIn(choice: Exclude<ToolChoice, string>): readonly string[] {
  return "tool" in choice ? [choice.tool] : choice.tools;
}

function renamed(choice: ToolChoice, named: (name: string) => string): ToolChoice {
  if (typeof choice === "string") return choice;
  return "tool" in choice ? { tool: named(choice.tool) } : { ...choice, tools: choice.tools.map(named) };
}

function unanswered(call: ToolCall): ToolResult {
  const error = call.error?.message ?? `Tool "${call.name}" gave no result.`;
  const code = call.error?.code ?? "TOOL_FAILED";
  return {
    ok: false,
    error,
    code,
    status: code === "INPUT_INVALID" ? 400 : 500,
    retryable: false,
    meta: { callId: call.id, tool: call.name, durationMs: 0 },
  };
}
