import type { ServerResponse } from "node:http";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import type { AgentModelConfig } from "../../../src/config/agents.ts";

/** What a model answers to the newest message of a user. Aborted when the client leaves. */
export type Answer = (text: string, signal: AbortSignal, request: ChatRequest) => string | ChatReply | Promise<string | ChatReply>;

export interface ChatReply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly [field: string]: unknown;
}

export interface ChatStandIn extends Loopback {
  /** For the configuration of an agent. */
  model(name: string): AgentModelConfig;
  requests(): readonly ChatRequest[];
}

/** A model on loopback that speaks Chat Completions, closed after the test. What `answer` throws is an answer with the status 400. */
export async function startChatModel(answer: Answer): Promise<ChatStandIn> {
  const server = await startLoopback((seen, response) => {
    const left = new AbortController();
    response.on("close", () => left.abort());
    const request = JSON.parse(seen.body) as ChatRequest;
    const asked = request.messages.findLast(({ role }) => role === "user")?.content;
    Promise.resolve()
      .then(() => answer(typeof asked === "string" ? asked : "", left.signal, request))
      .then((reply) => write(response, typeof reply === "string" ? { text: reply } : reply))
      .catch((error: Error) => sendJson(response, { error: { message: error.message } }, 400));
  });
  afterThisTest(() => server[Symbol.asyncDispose]());
  return {
    ...server,
    model: (name) => ({ vendor: "openai-chat", name, baseUrl: `${server.url}/v1` }),
    requests: () => server.seen.map(({ body }) => JSON.parse(body) as ChatRequest),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function write(response: ServerResponse, { text = "", calls = [] }: ChatReply): void {
  const delta = {
    content: text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, input }, index) => ({
        index,
        id: `call_${index}`,
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      })),
    }),
  };
  const events = [
    { choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }] },
    { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`);
}
