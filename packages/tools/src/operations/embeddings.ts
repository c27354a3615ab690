import { ToolError } from "@toolrack/core";
import { hostOf, type HttpOperations } from "./http.ts";
import { callService } from "./service.ts";

/** A service with the embeddings API of OpenAI. */
export interface EmbeddingsService {
  /** What comes before "/embeddings": "http://localhost:11434/v1" is Ollama's. A host named here may be a private one. */
  readonly baseUrl: string;
  readonly model: string;
}

/** Vectors for texts, in their order, all of one length and of finite numbers; anything else the service answers is TOOL_FAILED. */
export type RequestVectors = (
  texts: readonly string[],
  request: { readonly key: string | undefined; readonly signal: AbortSignal },
) => Promise<readonly (readonly number[])[]>;

/** Sends at most 64 texts in one request. Throws CONFIG_INVALID for an address that is none; `setting` is the name of the setting that holds it. */
export function createVectorRequests(http: HttpOperations, { baseUrl, model }: EmbeddingsService, setting: string): RequestVectors {
  hostOf(baseUrl, setting);
  return async (texts, { key, signal }) => {
    const headers = { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    const service = { name: "The embeddings service", defaultUrl: baseUrl, baseUrl, http, signal };
    const vectors: (readonly number[])[] = [];
    for (let from = 0; from < texts.length; from += batch) {
      const input = texts.slice(from, from + batch);
      const body = JSON.stringify({ model, input });
      const answer = await callService(service, "/embeddings", { method: "POST", headers, body, maxBytes });
      vectors.push(...readVectors(answer, input.length));
    }
    if (vectors.some(({ length }) => length !== vectors[0]!.length)) throw unusable("vectors of different lengths");
    return vectors;
  };
}

const batch = 64;
const maxBytes = 16_777_216;

/** The items may be in any order; each has the index of its text. */
function readVectors(answer: unknown, count: number): readonly (readonly number[])[] {
  const { data } = (answer ?? {}) as { data?: readonly { index?: unknown; embedding?: unknown }[] };
  const vectors: (readonly number[] | undefined)[] = Array.from({ length: count }, () => undefined);
  if (!Array.isArray(data) || data.length !== count) throw unusable("without a vector for each text");
  for (const item of data) {
    const { index, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index === "number" && index in vectors && isVector(embedding)) vectors[index] = embedding;
  }
  if (vectors.every((vector) => vector !== undefined)) return vectors;
  throw unusable("without a vector of finite numbers for each text");
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => Number.isFinite(part));
}

function unusable(fact: string): ToolError {
  return new ToolError("TOOL_FAILED", `The embeddings service answered ${fact}. Check that its address and model are those of embeddings.`);
}
