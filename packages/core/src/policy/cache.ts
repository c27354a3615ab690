import type { Caller } from "../tool/context.ts";

/** Keeps what was decided, so that the same question costs a look-up. */
export interface DecisionCache<Value> {
  /**
   * The value for this revision of the tools, this policy and this caller's facts; `decide` is asked where it is not known.
   * A new revision forgets everything.
   */
  get(revision: number | string, policy: object, caller: Caller, decide: () => Value): Value;
  readonly size: number;
}

export interface DecisionCacheOptions {
  /** @default 256 */
  readonly maxEntries?: number;
  /** The facts that decisions depend on. Conditions of tools may look at any, so leave out only what none of them reads. @default all */
  readonly facts?: readonly (keyof Caller)[];
}

/** Every fact, in the order in which keys name them. */
export const callerFacts: readonly (keyof Caller)[] = Object.freeze([
  "agent",
  "provider",
  "model",
  "channel",
  "group",
  "sender",
  "owner",
  "subagentDepth",
  "sandboxed",
  "phase",
  "tenant",
  "session",
  "run",
  "roles",
] as const);

export function createDecisionCache<Value>(options: DecisionCacheOptions = {}): DecisionCache<Value> {
  const { maxEntries = 256, facts = callerFacts } = options;
  const policies = new Map<object, Map<string, Value>>();
  const keys = new WeakMap<Caller, string>();
  let known: number | string | undefined;
  let size = 0;

  function keyOf(caller: Caller): string {
    const kept = keys.get(caller);
    if (kept !== undefined) return kept;
    const key = factsKey(caller, facts);
    if (Object.isFrozen(caller) && (caller.roles === undefined || Object.isFrozen(caller.roles))) keys.set(caller, key);
    return key;
  }

  function keep(policy: object, key: string, value: Value): void {
    const values = policies.get(policy) ?? new Map<string, Value>();
    policies.set(policy, values.set(key, value));
    size++;
    if (size > maxEntries) dropOldest();
  }

  function dropOldest(): void {
    const [policy, values] = policies.entries().next().value!;
    values.delete(values.keys().next().value!);
    if (values.size === 0) policies.delete(policy);
    size--;
  }

  return {
    get(revision, policy, caller, decide) {
      if (revision !== known) {
        policies.clear();
        size = 0;
        known = revision;
      }
      const key = keyOf(caller);
      const values = policies.get(policy);
      if (values?.has(key)) return values.get(key)!;
      const value = decide();
      keep(policy, key, value);
      return value;
    },
    get size() {
      return size;
    },
  };
}

/** One text for equal facts, and for no others: each value is written with its type and its length. */
function factsKey(caller: Caller, facts: readonly (keyof Caller)[]): string {
  let key = "";
  for (const fact of facts) key += writeFact(caller[fact]);
  return key;
}

function writeFact(value: unknown): string {
  if (value === undefined) return "-";
  if (typeof value === "string") return `s${value.length}:${value}`;
  if (Array.isArray(value)) return `l${value.length}:${value.map(writeFact).join("")}`;
  return `${typeof value}:${String(value)};`;
}
