import type { CallContext } from "@toolrack/core";
import type { HttpOperations } from "../operations/http.ts";
import { callService, type Service } from "../operations/service.ts";

/** A model that answers in a given shape. */
export interface LogitModel {
  /** What results name as their origin. */
  readonly name: string;
  /** The secrets that it needs. */
  readonly secrets?: readonly string[];
  /** The text of its answer, which is checked against the schema afterwards. */
  complete(request: CompletionRequest, context: Pick<CallContext, "secret" | "signal">): Promise<string>;
  /** The token ids of each text; absent where nobody can tell. */
  tokens?(texts: readonly string[], context: Pick<CallContext, "secret" | "signal">): Promise<readonly (readonly number[])[]>;
}

export interface CompletionRequest {
  readonly instructions: string;
  readonly prompt: string;
  /** The JSON Schema of the answer, for models that can be held to it. */
  readonly schema: object;
  readonly maxTokens?: number | undefined;
}

/** A service with the chat API of OpenAI: llama.cpp, vLLM, Ollama, or a vendor. */
export interface ModelServiceOptions {
  /** What comes before "/chat/completions" in its address: "http://localhost:8080/v1". Its host may be a private one. */
  readonly baseUrl: string;
  readonly model: string;
  /** The secret that holds its key. @default no key is sent */
  readonly secret?: string;
}

export function createServiceLogitModel(http: HttpOperations, { baseUrl, model, secret }: ModelServiceOptions): LogitModel {
  type Context = Pick<CallContext, "secret" | "signal">;
  const post = async (url: string, path: string, body: object, { secret: read, signal }: Context): Promise<unknown> => {
    const service: Service = { name: "The model", defaultUrl: url, baseUrl: url, http, signal };
    const key = secret === undefined ? undefined : await read(secret);
    return callService(service, path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      timeoutMs: 120_000,
    });
  };
  return {
    name: model,
    ...(secret !== undefined && { secrets: [secret] }),
    async complete({ instructions, prompt, schema, maxTokens }, context) {
      const body = {
        model,
        messages: [
          { role: "system", content: instructions },
          { role: "user", content: prompt },
        ],
        response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      };
      const reply = (await post(baseUrl, "/chat/completions", body, context)) as {
        readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
      } | null;
      const content = reply?.choices?.[0]?.message?.content;
      return typeof content === "string" ? content : "";
    },
    async tokens(texts, context) {
      // The tokenizer of llama.cpp and vLLM is beside the versioned API.
      const root = baseUrl.replace(/\/v\d+\/?$/, "");
      const all: (readonly number[])[] = [];
      for (const text of texts) {
        const reply = (await post(root, "/tokenize", { model, content: text, prompt: text, add_special_tokens: false }, context)) as {
          readonly tokens?: unknown;
        } | null;
        all.push(Array.isArray(reply?.tokens) ? reply.tokens.filter((token): token is number => Number.isSafeInteger(token)) : []);
      }
      return all;
    },
  };
}
