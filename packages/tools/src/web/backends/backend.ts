import type { Service } from "../../operations/service.ts";

/** One page that a search found. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
}

/** A search engine. Each is a leaf: it knows this interface and nothing of the others. */
export interface SearchBackend {
  readonly id: string;
  /** As messages name it. */
  readonly name: string;
  readonly defaultUrl?: string;
  /** The usual name of the secret that holds its key; absent where it needs none. */
  readonly secret?: string;
  /** What it found, as it came; the caller checks and cuts it. */
  search(service: Service, request: SearchRequest, key: string): Promise<readonly Partial<Record<keyof SearchHit, unknown>>[]>;
}

/** The list at a path of an answer; an empty one where there is none. */
export function listAt(answer: unknown, ...path: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  let found = answer;
  for (const key of path) {
    found = typeof found === "object" && found !== null && Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined;
  }
  return Array.isArray(found) ? found.filter((item) => typeof item === "object" && item !== null) : [];
}
