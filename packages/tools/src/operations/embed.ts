import type { CallContext } from "@toolrack/core";
import { createVectorRequests, type EmbeddingsService } from "./embeddings.ts";
import type { HttpOperations } from "./http.ts";

/** Places texts in a space where what means the same is near. */
export type Embed = (texts: readonly string[], context: CallContext) => Promise<readonly (readonly number[])[]>;

export interface EmbeddingOptions extends EmbeddingsService {
  /** The secret that holds its key. @default no key is sent */
  readonly secret?: string;
}

/** Throws CONFIG_INVALID for an address that is none. */
export function createHttpEmbed(http: HttpOperations, { secret, ...service }: EmbeddingOptions): Embed {
  const request = createVectorRequests(http, service, "embeddings.baseUrl");
  return async (texts, context) =>
    request(texts, { key: secret === undefined ? undefined : await context.secret(secret), signal: context.signal });
}

/** 1 for the same direction, 0 for nothing in common. */
export function likeness(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [both, first, second] = [0, 0, 0];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    both += a[index]! * b[index]!;
    first += a[index]! ** 2;
    second += b[index]! ** 2;
  }
  return first === 0 || second === 0 ? 0 : both / Math.sqrt(first * second);
}
