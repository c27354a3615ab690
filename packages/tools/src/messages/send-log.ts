import { canonicalJson } from "@toolrack/core/internal";

/** What is known about a message that was to be sent under a key. */
export type Recorded<Value> =
  | { readonly outcome: "made"; readonly value: Value; /** False where it was made before. */ readonly isFirst: boolean }
  /** It was begun, and nobody knows how it ended. */
  | { readonly outcome: "unknown" }
  /** The key was used for another message. */
  | { readonly outcome: "different" };

/**
 * Remembers which messages were begun, so that none is sent twice.
 * Contract: the key is recorded before `make` runs. If `make` resolves, every later call with the key gets its value; if it rejects, the key is
 * free again; if the process dies meanwhile, later calls get "unknown".
 */
export interface SendLog {
  once<Value>(entry: SendEntry, make: () => Promise<Value>): Promise<Recorded<Value>>;
}

export interface SendEntry {
  readonly key: string;
  /** Whose message it is. */
  readonly caller: string;
  /** What is to be sent, as JSON. */
  readonly request: unknown;
}

/** A log that lives as long as the process. */
export function createMemorySendLog(maxKeys = 10_000): SendLog {
  const begun = new Map<string, { readonly request: string; readonly made: Promise<unknown> }>();
  return {
    async once<Value>({ key, caller, request }: SendEntry, make: () => Promise<Value>): Promise<Recorded<Value>> {
      const id = canonicalJson([caller, key]);
      const text = canonicalJson(request);
      const known = begun.get(id);
      if (known !== undefined && known.request !== text) return { outcome: "different" };
      if (known !== undefined) return { outcome: "made", value: (await known.made) as Value, isFirst: false };
      const made = make();
      begun.set(id, { request: text, made });
      if (begun.size > maxKeys) begun.delete(begun.keys().next().value!);
      try {
        return { outcome: "made", value: await made, isFirst: true };
      } catch (error) {
        begun.delete(id);
        throw error;
      }
    },
  };
}
