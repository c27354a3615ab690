import { writeChoice, writeResults } from "@toolrack/core/vendors";
import { isObject } from "@toolrack/core/internal";
import type { Thinking } from "../model.ts";
import { createClient, rawOwner } from "./shared/client.ts";
import { argumentsOf, toTurns, type WireTurn } from "./shared/conversation.ts";
import { at, countAt, objectsAt, textAt } from "./shared/json.ts";
import type { ModelOptions } from "./shared/options.ts";
import type { ModelClient, ModelWire, WireEnd } from "./shared/wire.ts";

/** Gemini: `POST /v1beta/models/{model}:streamGenerateContent?alt=sse`. Signatures of thoughts go back to the model that had them. */
export function geminiModel(options: ModelOptions): ModelClient {
  const { model, body: { generationConfig, ...body } = {} } = options;
  const wire: ModelWire = {
    target: "gemini",
    vendor: "gemini",
    format: "events",
    canThink: true,
    path: `/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    headers: (key): Record<string, string> => (key === undefined ? {} : { "x-goog-api-key": key }),
    body(request) {
      const limit = request.maxOutputTokens ?? options.maxOutputTokens;
      const config = {
        ...(isObject(generationConfig) && generationConfig),
        ...(limit !== undefined && { maxOutputTokens: limit }),
        ...(request.thinking !== undefined && { thinkingConfig: { thinkingBudget: thinkingBudgets[request.thinking] } }),
      };
      return {
        ...(request.instructions !== "" && { systemInstruction: { parts: [{ text: request.instructions }] } }),
        contents: toTurns(request, "gemini", rawOwner("gemini", model)).flatMap(toContents),
        ...(request.tools && {
          tools: request.tools.tools,
          ...(request.choice !== undefined && writeChoice(request.choice, request.tools)),
        }),
        ...(Object.keys(config).length > 0 && { generationConfig: config }),
      };
    },
    deltas: (event) =>
      partsOf(event).map((part) => ({
        type: part["thought"] === true ? ("thinking" as const) : ("text" as const),
        text: textAt(part, "text"),
      })),
    end: endOf,
  };
  const settings = { maker: "geminiModel", defaultUrl: "https://generativelanguage.googleapis.com/v1beta" };
  return createClient({ ...options, body }, settings, () => wire);
}

/** In tokens. */
const thinkingBudgets: Readonly<Record<Thinking, number>> = { off: 0, low: 1_024, medium: 8_192, high: 24_576 };

type Part = Readonly<Record<string, unknown>>;

function partsOf(event: unknown): readonly Part[] {
  return objectsAt(event, "candidates", 0, "content", "parts");
}

function toContents(turn: WireTurn): readonly unknown[] {
  if (turn.kind === "results") return writeResults(turn.calls, turn.results, "gemini");
  if (turn.kind === "user") {
    const images = turn.images.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
    return [{ role: "user", parts: [...(turn.text === "" ? [] : [{ text: turn.text }]), ...images] }];
  }
  const { text, calls, raw } = turn;
  // A signature belongs to its part: without all calls in their places nothing of it is sent.
  if (raw !== undefined && raw.filter((part) => isObject(at(part, "functionCall"))).length === calls.length)
    return [{ role: "model", parts: raw }];
  const called = calls.map((call) => ({
    functionCall: { ...(!call.id.startsWith(madeUp) && { id: call.id }), name: call.wireName, args: argumentsOf(call) },
  }));
  return [{ role: "model", parts: text === "" ? called : [{ text }, ...called] }];
}

/** Calls come without an id from some models; `readCalls` then makes one up, which `writeResults` does not send back. */
const madeUp = "gemini_call_";

function endOf(events: readonly unknown[]): WireEnd {
  const finished = events.map((event) => textAt(event, "candidates", 0, "finishReason")).findLast((word) => word !== "");
  const blocked = events.map((event) => textAt(event, "promptFeedback", "blockReason")).findLast((word) => word !== "");
  const usage = events.map((event) => at(event, "usageMetadata")).findLast(isObject);
  const cached = countAt(usage, "cachedContentTokenCount");
  const raw = joined(events.flatMap(partsOf));
  const refusal = blocked ?? (finished !== undefined && refusals.test(finished) ? finished : undefined);
  return {
    stop: refusal !== undefined ? "refused" : finished === undefined ? undefined : finished === "MAX_TOKENS" ? "length" : "finished",
    count: {
      inputTokens: (countAt(usage, "promptTokenCount") ?? 0) + (countAt(usage, "toolUsePromptTokenCount") ?? 0),
      outputTokens: (countAt(usage, "candidatesTokenCount") ?? 0) + (countAt(usage, "thoughtsTokenCount") ?? 0),
      ...(cached !== undefined && { cachedTokens: cached }),
    },
    ...(raw.some((part) => textAt(part, "thoughtSignature") !== "") && { raw }),
    ...(refusal !== undefined && { reason: refusal }),
  };
}

const refusals = /^(?:SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|IMAGE_SAFETY)$/;

/** The parts of a reply. Pieces of text are joined, except where one carries a signature; what was thought is not needed back. */
function joined(parts: readonly Part[]): readonly Part[] {
  const whole: Part[] = [];
  const isPlain = (part: Part | undefined): part is Part => typeof part?.["text"] === "string" && textAt(part, "thoughtSignature") === "";
  for (const part of parts) {
    if (isPlain(part) && (part["thought"] === true || part["text"] === "")) continue;
    const last = whole.at(-1);
    if (isPlain(part) && isPlain(last)) whole[whole.length - 1] = { ...last, text: textAt(last, "text") + textAt(part, "text") };
    else whole.push(part);
  }
  return whole;
}
