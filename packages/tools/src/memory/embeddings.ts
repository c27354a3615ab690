import { type CallContext, ToolError } from "@toolrack/core";
import { hostOf, type HttpOperations } from "../operations/http.ts";
import { callService } from "../operations/service.ts";

/** Places texts in a space where what means the same is near. */
export type Embed = (texts: readonly string[], context: CallContext) => Promise<readonly (readonly number[])[]>;

export interface EmbeddingOptions {
  /** A service with the embeddings API of OpenAI: "http://localhost:11434/v1" is Ollama's. A host named here may be a private one. */
  readonly baseUrl: string;
  readonly model: string;
  /** The secret that holds its key. @default no key is sent */
  readonly secret?: string;
}

/** Throws CONFIG_INVALID for an address that is none. */
export function createHttpEmbed(http: HttpOperations, { baseUrl, model, secret }: EmbeddingOptions): Embed {
  hostOf(baseUrl, "embeddings.baseUrl");
  return async (texts, context) => {
    const headers = {
      "content-type": "application/json",
      ...(secret !== undefined && { authorization: `Bearer ${await context.secret(secret)}` }),
    };
    const service = { name: "The embeddings service", defaultUrl: baseUrl, baseUrl, http, signal: context.signal };
    const vectors: (readonly number[])[] = [];
    for (let from = 0; from < texts.length; from += batch) {
      const input = texts.slice(from, from + batch);
      const answer = await callService(service, "/embeddings", {
        method: "POST",
        headers,
        body: JSON.stringify({ model, input }),
        maxBytes,
      });
      vectors.push(...readVectors(answer, input.length));
    }
    return vectors;
  };
}

const batch = 64;
const maxBytes = 16_777_216;

function readVectors(answer: unknown, count: number): readonly (readonly number[])[] {
  const { data } = (answer ?? {}) as { data?: readonly { index?: unknown; embedding?: unknown }[] };
  const ordered = Array.isArray(data) ? [...data].sort((a, b) => Number(a?.index) - Number(b?.index)).map((item) => item?.embedding) : [];
  if (ordered.length === count && ordered.every(isVector)) return ordered;
  throw new ToolError("TOOL_FAILED", "The embeddings service answered without a vector for each text.");
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "number");
}

/** 1 for the same direction, 0 for nothing in common. */
export function likeness(a: readonly number[], b: readonly number[]): number {
  let [both, first, second] = [0, 0, 0];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    both += a[index]! * b[index]!;
    first += a[index]! ** 2;
    second += b[index]! ** 2;
  }
  return first === 0 || second === 0 ? 0 : both / Math.sqrt(first * second);
}
