import { contentHash } from "../util/hash.ts";
import { exampleTexts, readFields } from "./tables/fields.ts";
import type { SearchableTool } from "./search.ts";
import type { AbortSignal } from "../util/abort-signal.ts";

/** A model that turns texts into vectors, all of one length: yours, local or remote. */
export interface Embedder {
  /** The name of the model; vectors of different names are not mixed. */
  readonly id: string;
  /** A vector for each text, in their order. */
  embed(texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<readonly ArrayLike<number>[]>;
}

/** Where vectors are kept between runs, by a hash of model and text. */
export interface EmbeddingCache {
  get(hash: string): ArrayLike<number> | undefined | Promise<ArrayLike<number> | undefined>;
  set(hash: string, vector: Float32Array): void | Promise<void>;
}

/** Unit vectors for texts: from the cache, or else from the model, in batches. */
export async function embedTexts(
  texts: readonly string[],
  { embedder, cache, batchSize, signal }: EmbedOptions,
): Promise<readonly Float32Array[]> {
  const hashes = texts.map((text) => contentHash([embedder.id, text]));
  const vectors = new Map<string, Float32Array>();
  for (const hash of new Set(hashes)) {
    const kept = await cache.get(hash);
    if (kept !== undefined) vectors.set(hash, toUnit(kept));
  }
  const missing = [...new Set(hashes)].filter((hash) => !vectors.has(hash));
  for (let from = 0; from < missing.length; from += batchSize) {
    signal?.throwIfAborted();
    const batch = missing.slice(from, from + batchSize);
    const made = await embedder.embed(
      batch.map((hash) => texts[hashes.indexOf(hash)]!),
      signal && { signal },
    );
    for (const [index, hash] of batch.entries()) {
      const vector = toUnit(made[index] ?? []);
      vectors.set(hash, vector);
      if (vector.length > 0) await cache.set(hash, vector);
    }
  }
  return hashes.map((hash) => vectors.get(hash)!);
}

export interface EmbedOptions {
  readonly embedder: Embedder;
  readonly cache: EmbeddingCache;
  readonly batchSize: number;
  readonly signal?: AbortSignal | undefined;
}

/** The text of a tool that is embedded. */
export function textOfTool(tool: SearchableTool): string {
  const lines: string[] = [];
  readFields(tool, undefined, (field, texts) => {
    if (field !== "value") lines.push(...texts.filter((text) => text !== ""));
  });
  return [...lines, ...exampleTexts(tool)].join("\n").slice(0, 4_000);
}

/** In memory; the oldest vectors are removed first. */
export function createMemoryCache(maxVectors = 50_000): EmbeddingCache {
  const kept = new Map<string, ArrayLike<number>>();
  return {
    get: (hash) => kept.get(hash),
    set(hash, vector) {
      kept.set(hash, vector);
      const oldest = kept.keys().next().value;
      if (kept.size > maxVectors && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** Queries rarely repeat, and may be private: they are not cached. */
export const forgetful: EmbeddingCache = { get: () => undefined, set: () => undefined };

/** The similarity of unit vectors, from -1 to 1; 0 for vectors of different lengths. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

/** Invalid vectors (empty, with NaN, of length 0) become zero vectors. */
function toUnit(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += vector[index]! ** 2;
  if (!(squares > 0) || !Number.isFinite(squares)) return new Float32Array(0);
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (value) => value / length);
}
