import type { Message, Model, ModelEvent, ModelRequest } from "@toolrack/agent";
import type { ToolCall } from "@toolrack/core/vendors";
import { scriptedModelName } from "../../config/agents.ts";

/**
 * A model without a model, for looking at how agents work: it says that it is one, and calls the tools that it is told to. Each line
 * `call <tool> <input as JSON>` of a message is one turn; several calls of one turn are parted by ";". It remembers nothing but the messages, so that
 * it goes on in any process.
 */
export function createScriptedModel(): Model {
  return {
    name: scriptedModelName,
    target: "anthropic",
    async *stream(request): AsyncGenerator<ModelEvent> {
      const { text, calls } = replyTo(request);
      for (const piece of text.match(/\S+\s*/g) ?? []) yield { type: "text", text: piece };
      const usage = { inputTokens: 0, outputTokens: 0 };
      const isOver = request.signal.aborted;
      yield {
        type: "end",
        message: { role: "assistant", content: text, calls: isOver ? [] : calls, usage },
        stop: isOver ? "cancelled" : calls.length > 0 ? "calls" : "finished",
        usage,
      };
    },
  };
}

const introduction =
  'I am a scripted model: I do not think, and I need no key. Tell me a line such as: call product_lookup {"query": "jacket"} and I make that call.';

function replyTo({ messages, choice }: ModelRequest): { readonly text: string; readonly calls: readonly ToolCall[] } {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const said = messages[asked];
  const lines = said?.role === "user" ? said.content.split("\n").filter((line) => line.trim().startsWith("call ")) : [];
  const turn = messages.slice(asked).filter(({ role }) => role === "assistant").length;
  const line = choice === "none" ? undefined : lines[turn];
  if (line !== undefined) {
    const calls = line.split(";").map((part, index) => toCall(part.trim(), `call_${asked}_${turn}_${index}`));
    return { text: `I call ${calls.map(({ name }) => name).join(" and ")}.`, calls };
  }
  if (turn === 0) return { text: said?.role === "user" ? `${introduction} You said: ${said.content}` : introduction, calls: [] };
  return { text: messages.slice(asked).flatMap(answersOf).join("\n"), calls: [] };
}

function toCall(text: string, id: string): ToolCall {
  const [, name = "", json = ""] = /^call\s+(\S+)\s*(.*)$/s.exec(text) ?? [];
  const call = { id, name, wireName: name };
  try {
    return { ...call, input: json === "" ? {} : (JSON.parse(json) as unknown) };
  } catch {
    return { ...call, input: {}, error: { code: "INPUT_INVALID", message: `The input of "${name}" is no JSON: ${json.slice(0, 100)}` } };
  }
}

function answersOf(message: Message): readonly string[] {
  if (message.role !== "tool") return [];
  return message.results.map((result) => {
    const tool = result.meta?.tool ?? "The tool";
    if (!result.ok) return `${tool} failed: ${result.error}`;
    const { content } = result;
    return `${tool} answered: ${typeof content === "string" ? content : JSON.stringify(content)}`;
  });
}
