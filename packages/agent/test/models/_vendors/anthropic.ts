import { anthropicModel } from "../../../src/models/anthropic.ts";
import { counts, halves, type HeardTurn, type Reply, type StandIn } from "../_reply.ts";

/** Anthropic Messages: named events, blocks that start, grow and stop. */
export const anthropic: StandIn = {
  name: "anthropicModel",
  open: anthropicModel,
  base: "",
  path: "/v1/messages",
  contentType: "text/event-stream; charset=utf-8",
  key: ["x-api-key", ""],
  write,
  endsAfter: (events) => events.findIndex((event) => event.startsWith("event: message_delta")) + 1,
  errorEvent: (kind) =>
    event({
      type: "error",
      error:
        kind === "overloaded" ? { type: "overloaded_error", message: "Overloaded" } : { type: "invalid_request_error", message: "Wrong" },
    }),
  errorBody: (message) => ({ type: "error", error: { type: "some_error", message }, request_id: "req_1" }),
  read(body) {
    const { system, messages, tools, max_tokens } = body as {
      system?: { text: string }[];
      messages: { role: "user" | "assistant"; content: Block[] }[];
      tools?: { name: string }[];
      max_tokens: number;
    };
    return {
      instructions: system?.map(({ text }) => text).join("") ?? "",
      turns: messages.flatMap(({ role, content }) => (role === "assistant" ? [spoken(content)] : heard(content))),
      tools: tools?.map(({ name }) => name) ?? [],
      maxTokens: max_tokens,
    };
  },
  event,
  tellsCached: true,
  tellsRefusal: true,
};

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: string | Block[];
  readonly is_error?: boolean;
  readonly source?: { readonly data: string };
}

function spoken(content: readonly Block[]): HeardTurn {
  const calls = content.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ name: name!, input }));
  return { role: "assistant", text: textIn(content), ...(calls.length > 0 && { calls }) };
}

function heard(content: readonly Block[]): readonly HeardTurn[] {
  const results = content
    .filter(({ type }) => type === "tool_result")
    .map(({ content: said, is_error }): HeardTurn => ({
      role: "result",
      text: typeof said === "string" ? said : textIn(said ?? []),
      ...imagesIn(typeof said === "string" ? [] : (said ?? [])),
      ...(is_error === true && { failed: true }),
    }));
  const rest = content.filter(({ type }) => type !== "tool_result");
  return rest.length === 0 ? results : [...results, { role: "user", text: textIn(rest), ...imagesIn(rest) }];
}

function textIn(content: readonly Block[]): string {
  return content.map(({ text }) => text ?? "").join("");
}

function imagesIn(content: readonly Block[]): Pick<HeardTurn, "images"> {
  const images = content.filter(({ type }) => type === "image").map(({ source }) => source!.data);
  return images.length > 0 ? { images } : {};
}

function event(value: unknown): string {
  return `event: ${(value as { type?: string } | null)?.type ?? "other"}\ndata: ${JSON.stringify(value)}\n\n`;
}

function write({ thinking = [], text = [], calls = [], stop = "finished" }: Reply): readonly string[] {
  const usage = {
    input_tokens: counts.input - counts.cached,
    cache_read_input_tokens: counts.cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "stand-in",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const events: unknown[] = [{ type: "message_start", message }, { type: "ping" }];
  let index = 0;
  const block = (start: object, deltas: readonly object[]): void => {
    events.push({ type: "content_block_start", index, content_block: start });
    for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index: index++ });
  };
  if (thinking.length > 0)
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...thinking.map((thought) => ({ type: "thinking_delta", thinking: thought })),
      { type: "signature_delta", signature: "c2lnbmVk" },
    ]);
  if (text.length > 0)
    block(
      { type: "text", text: "" },
      text.map((piece) => ({ type: "text_delta", text: piece })),
    );
  for (const [at, { name, input }] of calls.entries()) {
    const json = JSON.stringify(input);
    const isCut = stop === "length" && at === calls.length - 1;
    const pieces = isCut ? ["", json.slice(0, -4)] : ["", ...halves(json)];
    block(
      { type: "tool_use", id: `toolu_${at}`, name, input: {} },
      pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    );
  }
  const reason = stop === "length" ? "max_tokens" : stop === "refused" ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn";
  events.push(
    { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: counts.output } },
    { type: "message_stop" },
  );
  return events.map(event);
}
