import { isObject } from "@toolrack/core/internal";
import { writeResults } from "@toolrack/core/vendors";
import { createClient } from "./shared/client.ts";
import { argumentsOf, toTurns, type WireTurn } from "./shared/conversation.ts";
import { at, countAt, textAt } from "./shared/json.ts";
import type { ModelOptions } from "./shared/options.ts";
import type { ModelClient, ModelWire, WireEnd } from "./shared/wire.ts";

/** Ollama: `POST /api/chat`, whose reply is lines of JSON. `contextTokens` is also the window that the model is loaded with. */
export function ollamaModel(options: ModelOptions): ModelClient {
  const { model, contextTokens, body: { options: settings, ...body } = {} } = options;
  const baseUrl = options.baseUrl ?? "http://127.0.0.1:11434";
  const wire: ModelWire = {
    target: "ollama",
    format: "lines",
    canThink: true,
    path: "/api/chat",
    headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
    body(request) {
      const limit = request.maxOutputTokens ?? options.maxOutputTokens;
      const runtime = {
        ...(contextTokens !== undefined && { num_ctx: contextTokens }),
        ...(isObject(settings) && settings),
        ...(limit !== undefined && { num_predict: limit }),
      };
      const system = request.instructions === "" ? [] : [{ role: "system", content: request.instructions }];
      return {
        model,
        messages: [...system, ...toTurns(request, "ollama").flatMap(toMessages)],
        // No field says that none may be called.
        ...(request.tools && request.choice !== "none" && { tools: request.tools.tools }),
        ...(Object.keys(runtime).length > 0 && { options: runtime }),
        ...(request.thinking !== undefined && { think: request.thinking === "off" ? false : request.thinking }),
        stream: true,
      };
    },
    deltas: (event) => [
      { type: "thinking", text: textAt(event, "message", "thinking") },
      { type: "text", text: textAt(event, "message", "content") },
    ],
    isLast: isDone,
    end: endOf,
  };
  return createClient({ ...options, baseUrl, body }, { maker: "ollamaModel", defaultUrl: baseUrl }, () => wire);
}

function toMessages(turn: WireTurn): readonly unknown[] {
  if (turn.kind === "results") return writeResults(turn.calls, turn.results, "ollama");
  if (turn.kind === "user")
    return [{ role: "user", content: turn.text, ...(turn.images.length > 0 && { images: turn.images.map(({ data }) => data) }) }];
  const calls = turn.calls.map((call) => ({ function: { name: call.wireName, arguments: argumentsOf(call) } }));
  return [{ role: "assistant", content: turn.text, ...(calls.length > 0 && { tool_calls: calls }) }];
}

function isDone(event: unknown): boolean {
  return at(event, "done") === true;
}

function endOf(events: readonly unknown[]): WireEnd {
  const last = events.findLast(isDone);
  return {
    stop: last === undefined ? undefined : at(last, "done_reason") === "length" ? "length" : "finished",
    count: { inputTokens: countAt(last, "prompt_eval_count") ?? 0, outputTokens: countAt(last, "eval_count") ?? 0 },
  };
}
