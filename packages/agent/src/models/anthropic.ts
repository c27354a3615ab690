import { type FieldKind, flag } from "@toolrack/core/internal";
import { writeChoice, writeResults } from "@toolrack/core/vendors";
import { deltasOf, endOf } from "./_anthropic-reply.ts";
import type { Thinking } from "../model.ts";
import { createClient, rawOwner } from "./shared/client.ts";
import { argumentsOf, toTurns, type WireTurn } from "./shared/conversation.ts";
import { at, textAt } from "./shared/json.ts";
import type { ModelOptions } from "./shared/options.ts";
import type { ClientRequest, ModelClient, ModelWire } from "./shared/wire.ts";

export interface AnthropicModelOptions extends ModelOptions {
  /** Asks the vendor to keep what conversations begin with in its cache. @default true */
  readonly cache?: boolean;
}

const fields: Readonly<Record<string, FieldKind>> = { cache: flag };

/** Anthropic Messages: `POST /v1/messages`. Thoughts and their signatures go back to the model that had them. */
export function anthropicModel(options: AnthropicModelOptions): ModelClient {
  const { model, cache = true, maxOutputTokens = 8_192 } = options;
  const wire: ModelWire = {
    target: "anthropic",
    vendor: "anthropic",
    format: "events",
    canThink: true,
    path: "/v1/messages",
    headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) }),
    body(request) {
      const messages = toMessages(toTurns(request, "anthropic", rawOwner("anthropic", model)));
      if (cache) markLast(messages);
      return {
        model,
        ...thoughtOf(request.thinking, request.maxOutputTokens ?? maxOutputTokens),
        ...(request.instructions !== "" && { system: [{ type: "text", text: request.instructions, ...(cache && cached) }] }),
        messages,
        ...toolsOf(request, messages),
        stream: true,
      };
    },
    deltas: deltasOf,
    isLast: (event) => at(event, "type") === "message_stop",
    end: endOf,
  };
  return createClient(options, { maker: "anthropicModel", defaultUrl: "https://api.anthropic.com", fields }, () => wire);
}

/** What is thought counts to the limit of the reply, which has to be larger. */
function thoughtOf(thinking: Thinking | undefined, limit: number): Readonly<Record<string, unknown>> {
  if (thinking === undefined) return { max_tokens: limit };
  if (thinking === "off") return { max_tokens: limit, thinking: { type: "disabled" } };
  const budget = { low: 1_024, medium: 4_096, high: 16_384 }[thinking];
  return { max_tokens: limit + budget, thinking: { type: "enabled", budget_tokens: budget } };
}

type Block = Record<string, unknown>;
interface Message {
  readonly role: "user" | "assistant";
  readonly content: Block[];
}

const cached = { cache_control: { type: "ephemeral" } };

/** Messages in turns: what follows in the same role is joined, so that results stand first in the turn of the user. */
function toMessages(turns: readonly WireTurn[]): Message[] {
  const messages: Message[] = [];
  for (const turn of turns) {
    const [role, content] = turn.kind === "assistant" ? (["assistant", spoken(turn)] as const) : (["user", heard(turn)] as const);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages;
}

function spoken({ text, calls, raw }: Extract<WireTurn, { kind: "assistant" }>): Block[] {
  const ids = raw?.filter((block) => at(block, "type") === "tool_use").map((block) => textAt(block, "id"));
  // Thoughts may stand only in the message that they came with.
  if (raw !== undefined && ids!.length === calls.length && ids!.every((id, index) => id === calls[index]!.id))
    return raw.map((block) => ({ ...(block as Block) }));
  const uses = calls.map((call) => ({ type: "tool_use", id: call.id, name: call.wireName, input: argumentsOf(call) }));
  return text.trim() === "" ? uses : [{ type: "text", text }, ...uses];
}

function heard(turn: Exclude<WireTurn, { kind: "assistant" }>): Block[] {
  if (turn.kind === "results")
    return writeResults(turn.calls, turn.results, "anthropic").flatMap(({ content }) => content.map((block): Block => ({ ...block })));
  const images = turn.images.map(({ mimeType, data }) => ({ type: "image", source: { type: "base64", media_type: mimeType, data } }));
  return turn.text === "" ? images : [...images, { type: "text", text: turn.text }];
}

/** The next request begins like this one, up to here. */
function markLast(messages: readonly Message[]): void {
  const last = messages.at(-1)?.content.at(-1);
  if (last !== undefined && !/thinking/.test(textAt(last, "type"))) Object.assign(last, cached);
}

/** A conversation with calls needs declarations: where tools are withheld, the ones that were called are declared and none may be called. */
function toolsOf({ tools, choice }: ClientRequest, messages: readonly Message[]): Block {
  if (tools !== undefined) return { tools: tools.tools, ...(choice !== undefined && writeChoice(choice, tools)) };
  const called = new Set(
    messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool_use").map(({ name }) => name as string)),
  );
  if (called.size === 0) return {};
  const declared = [...called].map((name) => ({
    name,
    description: "Not available now.",
    input_schema: { type: "object", properties: {} },
  }));
  return { tools: declared, ...writeChoice("none", "anthropic") };
}
