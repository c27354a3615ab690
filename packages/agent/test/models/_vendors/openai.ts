import { openaiModel } from "../../../src/models/openai.ts";
import { bare, counts, halves, type HeardTurn, type Reply, type StandIn } from "../_reply.ts";

/** OpenAI Responses: items that are added, grow and are done, and the whole response at the end. */
export const openai: StandIn = {
  name: "openaiModel",
  open: openaiModel,
  base: "/v1",
  path: "/v1/responses",
  contentType: "text/event-stream; charset=utf-8",
  key: ["authorization", "Bearer "],
  write,
  endsAfter: (events) => events.length,
  errorEvent: (kind) =>
    event(
      kind === "overloaded"
        ? { type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "Try again" }, output: [] } }
        : { type: "error", code: "invalid_prompt", message: "Wrong", param: null },
    ),
  errorBody: (message) => ({ error: { message, type: "some_error", param: null, code: null } }),
  read(body) {
    const {
      instructions = "",
      input,
      tools,
      max_output_tokens,
    } = body as { instructions?: string; input: Item[]; tools?: { name: string }[]; max_output_tokens?: number };
    const turns: HeardTurn[] = [];
    for (const item of input) {
      const last = turns.at(-1);
      if (item.type === "function_call") {
        const call = { name: item.name!, input: JSON.parse(item.arguments!) as unknown };
        if (last?.role === "assistant") turns[turns.length - 1] = { ...last, calls: [...(last.calls ?? []), call] };
        else turns.push({ role: "assistant", text: "", calls: [call] });
      } else if (item.type === "function_call_output")
        turns.push({ role: "result", ...partsOf(item.output!), ...(String(item.output).startsWith("Error: ") && { failed: true }) });
      else if (item.type !== "reasoning") turns.push({ role: item.role!, ...partsOf(item.content!) });
    }
    return {
      instructions,
      turns,
      tools: tools?.map(({ name }) => name) ?? [],
      ...(max_output_tokens !== undefined && { maxTokens: max_output_tokens }),
    };
  },
  event,
  tellsCached: true,
  tellsRefusal: true,
};

interface Item {
  readonly type?: string;
  readonly role?: "user" | "assistant";
  readonly content?: string | Part[];
  readonly output?: string | Part[];
  readonly name?: string;
  readonly arguments?: string;
}
interface Part {
  readonly text?: string;
  readonly image_url?: string;
}

function partsOf(content: string | readonly Part[]): Pick<HeardTurn, "text" | "images"> {
  if (typeof content === "string") return { text: content.replace(/^Error: /, "") };
  const images = content.flatMap(({ image_url }) => (image_url === undefined ? [] : [bare(image_url)]));
  return { text: content.map(({ text }) => text ?? "").join(""), ...(images.length > 0 && { images }) };
}

function event(value: unknown): string {
  return `event: ${(value as { type?: string } | null)?.type ?? "other"}\ndata: ${JSON.stringify(value)}\n\n`;
}

function write({ thinking = [], text = [], calls = [], stop = "finished" }: Reply): readonly string[] {
  const output: object[] = [];
  const response = { id: "resp_1", object: "response", model: "stand-in", store: false, error: null };
  const events: object[] = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } },
    { type: "response.in_progress", response: { ...response, status: "in_progress", output: [], usage: null } },
  ];
  const add = (started: object, growth: readonly object[], done: object): void => {
    const output_index = output.length;
    events.push({ type: "response.output_item.added", output_index, item: started });
    for (const piece of growth) events.push({ ...piece, output_index });
    events.push({ type: "response.output_item.done", output_index, item: done });
    output.push(done);
  };
  if (thinking.length > 0) {
    const item = { id: "rs_1", type: "reasoning", encrypted_content: "gAAAA-secret-thoughts" };
    add(
      { ...item, summary: [] },
      thinking.map((delta) => ({ type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta })),
      { ...item, summary: [{ type: "summary_text", text: thinking.join("") }] },
    );
  }
  if (text.length > 0) {
    const item = { id: "msg_1", type: "message", role: "assistant" };
    const kind = stop === "refused" ? "refusal" : "output_text";
    const part =
      stop === "refused" ? { type: "refusal", refusal: text.join("") } : { type: "output_text", text: text.join(""), annotations: [] };
    add(
      { ...item, status: "in_progress", content: [] },
      [
        { type: "response.content_part.added", item_id: "msg_1", content_index: 0, part: { ...part, text: "" } },
        ...text.map((delta) => ({ type: `response.${kind}.delta`, item_id: "msg_1", content_index: 0, delta })),
        { type: `response.${kind}.done`, item_id: "msg_1", content_index: 0, text: text.join("") },
        { type: "response.content_part.done", item_id: "msg_1", content_index: 0, part },
      ],
      { ...item, status: "completed", content: [part] },
    );
  }
  for (const [at, { name, input }] of calls.entries()) {
    const isCut = stop === "length" && at === calls.length - 1;
    const json = isCut ? JSON.stringify(input).slice(0, -4) : JSON.stringify(input);
    const item = { id: `fc_${at}`, type: "function_call", call_id: `call_${at}`, name };
    const pieces = halves(json).map((delta) => ({ type: "response.function_call_arguments.delta", item_id: item.id, delta }));
    const done = isCut ? [] : [{ type: "response.function_call_arguments.done", item_id: item.id, arguments: json }];
    add({ ...item, status: "in_progress", arguments: "" }, [...pieces, ...done], {
      ...item,
      status: isCut ? "incomplete" : "completed",
      arguments: json,
    });
  }
  const usage = {
    input_tokens: counts.input,
    input_tokens_details: { cached_tokens: counts.cached },
    output_tokens: counts.output,
    total_tokens: counts.input + counts.output,
  };
  events.push(
    stop === "length"
      ? {
          type: "response.incomplete",
          response: { ...response, status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output, usage },
        }
      : { type: "response.completed", response: { ...response, status: "completed", incomplete_details: null, output, usage } },
  );
  return events.map((one, sequence_number) => event({ ...one, sequence_number }));
}
