import { ollamaModel } from "../../../src/models/ollama.ts";
import { counts, type HeardTurn, type Reply, type StandIn } from "../_reply.ts";

/** Ollama: lines of JSON, the last of which is done. */
export const ollama: StandIn = {
  name: "ollamaModel",
  open: ollamaModel,
  base: "",
  path: "/api/chat",
  contentType: "application/x-ndjson",
  key: ["authorization", "Bearer "],
  write,
  endsAfter: (events) => events.length,
  errorEvent: (kind) =>
    event({ error: kind === "overloaded" ? { message: "busy", code: 503 } : "an error was encountered while running the model" }),
  errorBody: (message) => ({ error: message }),
  read(body) {
    const { messages, tools, options } = body as {
      messages: Message[];
      tools?: { function: { name: string } }[];
      options?: { num_predict?: number };
    };
    const [first, ...rest] = messages;
    const hasSystem = first?.role === "system";
    return {
      instructions: hasSystem ? first.content : "",
      turns: (hasSystem ? rest : messages).map(heard),
      tools: tools?.map((tool) => tool.function.name) ?? [],
      ...(options?.num_predict !== undefined && { maxTokens: options.num_predict }),
    };
  },
  event,
  tellsCached: false,
  tellsRefusal: false,
};

interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly images?: readonly string[];
  readonly tool_calls?: { readonly function: { readonly name: string; readonly arguments: unknown } }[];
}

function heard({ role, content, images, tool_calls }: Message): HeardTurn {
  return {
    role: role === "tool" ? "result" : (role as "user" | "assistant"),
    text: content.replace(/^Error: /, ""),
    ...(images !== undefined && { images }),
    ...(tool_calls !== undefined && { calls: tool_calls.map((call) => ({ name: call.function.name, input: call.function.arguments })) }),
    ...(role === "tool" && content.startsWith("Error: ") && { failed: true }),
  };
}

function event(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function write({ thinking = [], text = [], calls = [], stop = "finished" }: Reply): readonly string[] {
  const line = (message: object, rest: object = { done: false }): object => ({
    model: "stand-in",
    created_at: "2026-11-16T00:00:00Z",
    message: { role: "assistant", content: "", ...message },
    ...rest,
  });
  const lines: object[] = [...thinking.map((thought) => line({ thinking: thought })), ...text.map((content) => line({ content }))];
  for (const [index, { name, input }] of calls.entries()) {
    const isCut = stop === "length" && index === calls.length - 1;
    lines.push(line({ tool_calls: [{ function: { name, ...(!isCut && { arguments: input }) } }] }));
  }
  lines.push(
    line(
      {},
      {
        done: true,
        done_reason: stop === "length" ? "length" : "stop",
        total_duration: 1,
        prompt_eval_count: counts.input,
        eval_count: counts.output,
      },
    ),
  );
  return lines.map(event);
}
