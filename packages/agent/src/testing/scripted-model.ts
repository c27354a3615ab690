import type { ProviderTarget, ToolCall } from "@toolrack/core/vendors";
import type { AssistantMessage, RawItems, Usage } from "../message.ts";
import type { Model, ModelEnd, ModelEvent, ModelFailure, ModelRequest, StopReason } from "../model.ts";

/** One reply: a text, or what else a model can do. A function is asked when its turn comes. */
export type ScriptedReply = string | ScriptedParts | ((request: ModelRequest) => string | ScriptedParts | Promise<string | ScriptedParts>);

export interface ScriptedParts {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly ScriptedCall[];
  /** @default "calls" if there are any, "failed" with a failure, else "finished" */
  readonly stop?: StopReason;
  readonly failure?: ModelFailure;
  /** @default 10 tokens in, 5 out */
  readonly usage?: Usage;
  readonly raw?: RawItems;
}

export type ScriptedCall = Partial<Omit<ToolCall, "name">> & { readonly name: string };

export interface ScriptedModel extends Model {
  /** Every request that was made, in order. */
  readonly requests: readonly ModelRequest[];
  /** How many replies are left. */
  readonly left: number;
  /** In how many requests everything that the request before it had sent came first, unchanged: so many times a prompt cache would hit. */
  unchangedPrefixes(): number;
}

export interface ScriptedModelOptions {
  /** @default "scripted" */
  readonly name?: string;
  /** @default "anthropic" */
  readonly target?: ProviderTarget;
  readonly contextTokens?: number;
}

/** A model that says what is in its script, keeps the requests, and fails when the script is over. */
export function scriptedModel(script: Iterable<ScriptedReply>, options: ScriptedModelOptions = {}): ScriptedModel {
  const { name = "scripted", target = "anthropic", contextTokens } = options;
  const replies = [...script];
  const requests: ModelRequest[] = [];
  let next = 0;
  let calls = 0;

  async function replyTo(request: ModelRequest): Promise<ScriptedParts> {
    const reply = replies[next++];
    if (reply === undefined) return { failure: { message: over(name, replies.length), retryable: false } };
    const said = typeof reply === "function" ? await reply(request) : reply;
    return typeof said === "string" ? { text: said } : said;
  }

  return {
    name,
    target,
    ...(contextTokens !== undefined && { contextTokens }),
    requests,
    get left() {
      return Math.max(0, replies.length - next);
    },
    unchangedPrefixes() {
      const texts = requests.map(toText);
      return texts.filter((text, index) => index > 0 && text.startsWith(texts[index - 1]!)).length;
    },
    async *stream(request): AsyncGenerator<ModelEvent> {
      requests.push({ ...request, messages: [...request.messages] });
      const parts = await replyTo(request);
      if (request.signal.aborted) return yield endOf({ stop: "cancelled" }, []);
      if (parts.thinking !== undefined) yield { type: "thinking", text: parts.thinking };
      if (parts.text !== undefined && parts.text !== "") yield { type: "text", text: parts.text };
      yield endOf(
        parts,
        (parts.calls ?? []).map((call) => ({ id: `call_${++calls}`, wireName: call.name, input: {}, ...call })),
      );
    },
  };
}

function over(name: string, count: number): string {
  return `The script of model "${name}" is over: it has ${count} replies, and one more was asked for. Add a reply, or end the run earlier.`;
}

function endOf(parts: ScriptedParts, calls: readonly ToolCall[]): ModelEnd {
  const { text = "", usage = { inputTokens: 10, outputTokens: 5 }, raw, failure } = parts;
  const stop = parts.stop ?? (failure !== undefined ? "failed" : calls.length > 0 ? "calls" : "finished");
  const message: AssistantMessage = { role: "assistant", content: text, calls, usage, ...(raw !== undefined && { raw }) };
  return { type: "end", message, stop, usage, ...(failure !== undefined && { failure }) };
}

/** What a vendor's prompt cache sees, in its order: tools, instructions, messages. A message is closed by what follows it. */
function toText({ tools, instructions, messages }: ModelRequest): string {
  return [tools?.text ?? "", instructions, ...messages.map((message) => JSON.stringify(message))].join("\n");
}
