import { chatModel } from "../../../src/models/chat.ts";
import { bare, counts, halves, type HeardTurn, type Reply, type StandIn } from "../_reply.ts";

/** Chat Completions: chunks with a delta, the usage in the last one, and a mark at the end. */
export const chat: StandIn = {
  name: "chatModel",
  open: chatModel,
  base: "/v1",
  path: "/v1/chat/completions",
  contentType: "text/event-stream",
  key: ["authorization", "Bearer "],
  write,
  endsAfter: (events) => events.findIndex((one) => /"finish_reason":"/.test(one)) + 1,
  errorEvent: (kind) => event({ error: kind === "overloaded" ? { code: 503, message: "Overloaded" } : { code: 400, message: "Wrong" } }),
  errorBody: (message) => ({ error: { message, type: "some_error", param: null, code: null } }),
  read(body) {
    const { messages, tools, max_tokens } = body as { messages: Message[]; tools?: { function: { name: string } }[]; max_tokens?: number };
    const [first, ...rest] = messages;
    const hasSystem = first?.role === "system";
    return {
      instructions: hasSystem ? (first.content as string) : "",
      turns: (hasSystem ? rest : messages).map(heard),
      tools: tools?.map((tool) => tool.function.name) ?? [],
      ...(max_tokens !== undefined && { maxTokens: max_tokens }),
    };
  },
  event,
  tellsCached: true,
  tellsRefusal: true,
};

interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null | { readonly text?: string; readonly image_url?: { readonly url: string } }[];
  readonly tool_calls?: { readonly function: { readonly name: string; readonly arguments: string } }[];
}

function heard({ role, content, tool_calls }: Message): HeardTurn {
  const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
  const images = Array.isArray(content) ? content.flatMap(({ image_url }) => (image_url === undefined ? [] : [bare(image_url.url)])) : [];
  const calls = tool_calls?.map((call) => ({ name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }));
  return {
    role: role === "tool" ? "result" : (role as "user" | "assistant"),
    text: text.replace(/^Error: /, ""),
    ...(images.length > 0 && { images }),
    ...(calls !== undefined && { calls }),
    ...(role === "tool" && text.startsWith("Error: ") && { failed: true }),
  };
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function write({ thinking = [], text = [], calls = [], stop = "finished" }: Reply): readonly string[] {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "stand-in" };
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
    usage: null,
  });
  const chunks: object[] = [chunk({ role: "assistant", content: "" })];
  for (const reasoning_content of thinking) chunks.push(chunk({ reasoning_content }));
  for (const content of text) chunks.push(chunk({ content }));
  for (const [index, { name, input }] of calls.entries()) {
    const json = JSON.stringify(input);
    const pieces = stop === "length" && index === calls.length - 1 ? [json.slice(0, -4)] : halves(json);
    chunks.push(chunk({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: "" } }] }));
    for (const piece of pieces) chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  chunks.push(chunk({}, stop === "length" ? "length" : stop === "refused" ? "content_filter" : calls.length > 0 ? "tool_calls" : "stop"));
  const usage = { prompt_tokens: counts.input, prompt_tokens_details: { cached_tokens: counts.cached }, completion_tokens: counts.output };
  chunks.push({ ...head, choices: [], usage });
  return [...chunks.map(event), "data: [DONE]\n\n"];
}
