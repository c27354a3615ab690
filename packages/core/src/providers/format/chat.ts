import type { JsonObject } from "@toolrack/json-schema/internal";
import { at, createFragments, dataUrl, either, objectsIn, readArguments, splitImages, text } from "./parts.ts";
import type { AnsweredCall, ProviderLimits, ProviderWire, ToolChoice, WireCall } from "../provider.ts";

/**
 * The format of OpenAI's Chat Completions, which most vendors took over; `changes` replaces parts of it. Shapes as in the typings of openai:
 * ChatCompletionTool, ChatCompletionChunk.
 */
export function chatWire(changes?: Partial<ProviderWire>): ProviderWire {
  return {
    declare: (tool) => ({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: tool.schema, ...(tool.strict && { strict: true }) },
    }),
    readCalls: readChatCalls,
    writeResults: (answers) => writeToolMessages(answers, ({ call }) => ({ tool_call_id: call.id })),
    writeChoice: ({ choice, parallel }) => ({
      tool_choice: chatChoice(choice),
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    }),
    ...changes,
  };
}

/** The names that Chat Completions takes. */
export const chatLimits: ProviderLimits = { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64 };

/** The calls of a whole completion, of its message alone, or of the chunks of a stream. */
export function readChatCalls(reply: unknown): readonly WireCall[] {
  if (Array.isArray(reply)) return readChunks(reply);
  const message = at(reply, "choices", 0, "message") ?? at(reply, "message") ?? reply;
  return objectsIn(either(message, "tool_calls", "toolCalls")).map((call, index) => ({
    id: idOf(call) || `call_${index}`,
    name: text(at(call, "function", "name")),
    ...readArguments(at(call, "function", "arguments")),
  }));
}

/** The SDK of Mistral writes "null" where an id is missing. */
function idOf(call: JsonObject): string {
  return call["id"] === "null" ? "" : text(call["id"]);
}

/**
 * A piece belongs to the call at its index, unless it brings a name and another id: some send every call at index 0. A piece without
 * an index belongs to the call whose id it repeats, or begins a new one.
 */
function readChunks(chunks: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  const begun = new Map<unknown, string>();
  let count = 0;
  for (const chunk of chunks) {
    const choice = at(chunk, "choices", 0) ?? at(chunk, "data", "choices", 0) ?? chunk;
    const message = at(choice, "delta") ?? at(choice, "message") ?? choice;
    for (const call of objectsIn(either(message, "tool_calls", "toolCalls"))) {
      const { index } = call;
      const id = idOf(call);
      const name = text(at(call, "function", "name"));
      if (id !== "" && name !== "") begun.set(index, id);
      const key = typeof index === "number" ? `${index} ${begun.get(index) ?? ""}` : id === "" ? `new ${count++}` : id;
      fragments.add(key, { id, name, arguments: at(call, "function", "arguments") });
    }
  }
  return fragments.calls();
}

/** One message per call. A tool message holds only text, so images follow in a message of the user. */
export function writeToolMessages(answers: readonly AnsweredCall[], fields: (answer: AnsweredCall) => object): readonly unknown[] {
  const shown = answers.flatMap((answer) => splitImages(answer.result).images.map((image) => ({ answer, image })));
  const messages: unknown[] = answers.map((answer) => ({ role: "tool", ...fields(answer), content: splitImages(answer.result).text }));
  if (shown.length === 0) return messages;
  const content = shown.flatMap(({ answer, image }) => [
    { type: "text", text: `Image from the call ${answer.call.id}:` },
    { type: "image_url", image_url: { url: dataUrl(image) } },
  ]);
  return [...messages, { role: "user", content }];
}

export function chatChoice(choice: ToolChoice): unknown {
  if (typeof choice === "string") return choice;
  if ("tool" in choice) return { type: "function", function: { name: choice.tool } };
  const tools = choice.tools.map((name) => ({ type: "function", function: { name } }));
  return { type: "allowed_tools", allowed_tools: { mode: choice.mode ?? "required", tools } };
}
