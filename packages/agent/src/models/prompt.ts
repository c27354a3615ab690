import type { ConstraintMode } from "@toolrack/core/grammar";
import { checkFields, type FieldKind, isObject, text as anyText } from "@toolrack/core/internal";
import { type Dialect, dialectFor, type DialectTool, type FoundCalls, type ModelFamily } from "@toolrack/core/prompt";
import type { ExportedTools, ToolCall } from "@toolrack/core/vendors";
import type { Message, UserMessage } from "../message.ts";
import type { Model, ModelEnd, ModelEvent, ModelRequest } from "../model.ts";
import type { PromptBackend } from "./shared/constraint.ts";
import { toTurns } from "./shared/conversation.ts";
import type { ClientRequest, ModelClient } from "./shared/wire.ts";

export interface PromptModelOptions {
  /** The dialect, whatever the model's name says: a family, or a dialect of your own. @default by the model's name */
  readonly family?: ModelFamily | Dialect;
  /** The program that runs the model, if its output is to be held to the tools by a grammar or a schema. @default nothing holds it */
  readonly backend?: PromptBackend;
  /** @default "hybrid": the best that the backend supports */
  readonly constraint?: ConstraintMode;
}

const names: readonly string[] = ["llama.cpp", "vllm", "ollama"] satisfies PromptBackend[];
const fields: Readonly<Record<keyof PromptModelOptions, FieldKind>> = {
  family: { is: "a family or a dialect", test: (value) => anyText.test(value) || isObject(value) },
  backend: { is: `one of ${names.join(", ")}`, test: (value) => names.includes(value as string), quotes: true },
  constraint: anyText,
};

/**
 * A model without an API for tools, over a client that carries its text: the tools stand in the prompt in the dialect of the model's family, and
 * its calls are found in what it writes. While tools are offered, text comes whole when the reply is complete, because it may hold calls.
 */
export function promptModel(inner: ModelClient, options: PromptModelOptions = {}): Model {
  checkFields(options, fields, { subject: "promptModel", word: "option" });
  const dialect = dialectFor(inner.name, options.family === undefined ? {} : { family: options.family });
  const { name, contextTokens } = inner;
  return Object.freeze({
    name,
    target: "generic" as const,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(inner.canThink === true && { canThink: true }),
    stream: (request: ModelRequest) => converse(inner, request, dialect, options),
  });
}

async function* converse(
  inner: ModelClient,
  request: ModelRequest,
  dialect: Dialect,
  options: PromptModelOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { tools: exported, choice, ...rest } = request;
  const tools = exported === undefined || choice === "none" ? [] : offered(exported, choice);
  const instructions = [request.instructions, tools.length === 0 ? "" : dialect.promptFor(tools)]
    .filter((part) => part !== "")
    .join("\n\n");
  let sent: ClientRequest;
  try {
    sent = { ...rest, instructions, messages: inDialect(request, dialect), fields: await fieldsFor(tools, request, dialect, options) };
  } catch (error) {
    const usage = { inputTokens: 0, outputTokens: 0 };
    const failure = { message: `Model "${inner.name}": ${(error as Error).message}`, retryable: false };
    yield { type: "end", message: { role: "assistant", content: "", calls: [], usage }, stop: "failed", usage, failure };
    return;
  }
  for await (const event of inner.stream(sent)) {
    if (event.type === "end") yield* endIn(event, request, dialect, tools);
    else if (event.type === "thinking" || tools.length === 0) yield event;
  }
}

/** Grammars are loaded only where a backend is named. */
async function fieldsFor(
  tools: readonly DialectTool[],
  request: ModelRequest,
  dialect: Dialect,
  { backend, constraint }: PromptModelOptions,
): Promise<NonNullable<ClientRequest["fields"]>> {
  if (backend === undefined || tools.length === 0) return {};
  const { constraintFields } = await import("./shared/constraint.ts");
  return constraintFields(tools, request, dialect, backend, constraint);
}

/** The tools that may be called, as a dialect shows them; the same list for the same export, so that its grammar is made once. */
function offered(exported: ExportedTools, choice: ModelRequest["choice"]): readonly DialectTool[] {
  const named = typeof choice === "object" ? new Set("tool" in choice ? [choice.tool] : choice.tools) : undefined;
  const known = named === undefined ? made.get(exported) : undefined;
  if (known !== undefined) return known;
  const tools = (exported as ExportedTools<"generic">).tools
    .filter(({ name }) => named === undefined || named.has(name) || named.has(exported.names[name] ?? ""))
    .map(({ name, description, parameters }) => Object.freeze({ name, description, inputSchema: parameters }));
  if (named === undefined) made.set(exported, Object.freeze(tools));
  return tools;
}

const made = new WeakMap<ExportedTools, readonly DialectTool[]>();

/** The conversation as text: calls as the model itself writes them, results as it is told of them. */
function inDialect(request: ModelRequest, dialect: Dialect): readonly Message[] {
  return toTurns(request, "generic").map((turn): Message => {
    if (turn.kind === "user") return asUser(turn.text, turn.images);
    if (turn.kind === "assistant") {
      const calls =
        turn.calls.length === 0 ? "" : dialect.writeCalls(turn.calls.map((call) => ({ name: call.wireName, input: call.input })));
      return { role: "assistant", content: [turn.text, calls].filter((part) => part !== "").join("\n"), calls: [] };
    }
    const told = turn.calls.map(({ wireName }, index) => {
      const result = turn.results[index];
      const content = result === undefined ? "The call gave no result." : result.ok ? result.content : result.error;
      return dialect.writeResult({ name: wireName, ok: result?.ok ?? false, content });
    });
    const images = turn.results.flatMap((result) => (result.ok ? (result.blocks ?? []) : [])).filter((block) => block.type === "image");
    return asUser(told.join("\n"), images);
  });
}

function asUser(content: string, images: readonly { readonly mimeType: string; readonly data: string }[]): UserMessage {
  const blocks = images.map(({ mimeType, data }) => ({ type: "image" as const, mimeType, data }));
  return { role: "user", content, ...(blocks.length > 0 && { blocks }), from: { kind: "system" } };
}

/** The calls in the text of a reply, and the text around them. */
function* endIn(
  end: ModelEnd,
  request: ModelRequest,
  dialect: Dialect,
  tools: readonly DialectTool[],
): Generator<ModelEvent, void, undefined> {
  if (tools.length === 0) return yield end;
  const { message, stop } = end;
  const isWhole = stop === "finished" || stop === "calls" || stop === "length";
  const known = tools.map(({ name }) => name);
  const found: FoundCalls = isWhole ? dialect.readCalls(message.content, known) : { calls: [], text: message.content };
  // Some servers find calls themselves, although they were offered no tools.
  const calls = [...message.calls, ...toCalls(found, request)];
  if (found.text !== "") yield { type: "text", text: found.text };
  yield { ...end, message: { ...message, content: found.text, calls }, stop: stop === "finished" && calls.length > 0 ? "calls" : stop };
}

/** Ids count on over the conversation, so that each is used once. */
function toCalls({ calls, unfinished }: FoundCalls, { messages, tools }: ModelRequest): readonly ToolCall[] {
  const before = messages.reduce((count, message) => count + (message.role === "assistant" ? message.calls.length : 0), 0);
  const cut = "The call is not complete. Write it again, shorter if it was cut off.";
  const all = [...calls, ...(unfinished === undefined ? [] : [{ name: unfinished.name ?? "", input: unfinished.text, error: cut }])];
  return all.map(({ name: wireName, input, error }, index): ToolCall => {
    const name = tools?.names[wireName] ?? wireName;
    const base = { id: `call_${before + index}`, name, wireName };
    if (error !== undefined) return { ...base, input, error: { code: "INPUT_INVALID", message: `Tool "${name}": ${error}` } };
    return { ...base, input: tools?.decode(wireName, input) ?? input };
  });
}
