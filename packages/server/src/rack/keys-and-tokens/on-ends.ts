import type { ApiKey, ApiKeys } from "../rack.ts";

/** The agents of keys that ended together; undefined among them: those of a key that was deleted are not known. */
export type EndedAgents = ReadonlySet<string | undefined>;

/** Hands over the keys that ended in one turn together, with those that are left: thousands may expire at the same time. Returns a function that stops it. */
export function onEnds(keys: Pick<ApiKeys, "list" | "onEnd">, listener: (ended: EndedAgents, left: readonly ApiKey[]) => void): () => void {
  let ended: Set<string | undefined> | undefined;
  return keys.onEnd(({ agent }) => {
    if (ended !== undefined) return void ended.add(agent);
    ended = new Set([agent]);
    void Promise.resolve().then(async () => {
      const all = ended!;
      ended = undefined;
      listener(all, await keys.list());
    });
  });
}
