import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly temperature?: number;
  readonly max_tokens?: number;
}

/** Speaks the chat API of OpenAI as OpenRouter does. The last message says what happens: "fail 500", "hang", "odd"; all else is repeated. */
export function startChat(key: string): Promise<Loopback> {
  return startLoopback((request, response) => {
    if (request.headers.authorization !== `Bearer ${key}`)
      return sendJson(response, { error: { code: 401, message: "No auth credentials found" } }, 401);
    if (request.method !== "POST" || request.path !== "/api/v1/chat/completions")
      return sendJson(response, { error: { message: "Not Found" } }, 404);
    const { model, messages } = JSON.parse(request.body) as ChatRequest;
    const last = messages.at(-1)!.content;
    const [, status] = /^fail (\d+)$/.exec(last) ?? [];
    if (status !== undefined)
      return sendJson(response, { error: { code: Number(status), message: "Provider returned error" } }, Number(status), {
        "retry-after": "7",
      });
    if (last === "hang") return;
    if (last === "odd") return sendJson(response, { error: { code: 502, message: "The model is down" } });
    sendJson(response, {
      id: "gen-1",
      object: "chat.completion",
      model,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: `You said: ${last}` } }],
      usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
    });
  });
}
