import { callerFields } from "../../tool/check-caller.ts";
import type { Caller } from "../../tool/context.ts";
import { contentHash } from "../../util/hash.ts";

/** Caches decisions, so that the same question costs one look-up. */
export interface DecisionCache<Value> {
  /**
   * The value for this revision of the tools, this policy and this caller's facts; `decide` is called if it is not cached.
   * A new revision clears the cache.
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

export function createDecisionCache<Value>(options: DecisionCacheOptions = {}): DecisionCache<Value> {
  const { maxEntries = 256 } = options;
  const depends = toTable(options.facts);
  const policies = new Map<object, Map<string, Value>>();
  const keys = new WeakMap<Caller, string>();
  let known: number | string | undefined;
  let size = 0;

  function keyOf(caller: Caller): string {
    const kept = keys.get(caller);
    if (kept !== undefined) return kept;
    const key = factsKey(caller, depends);
    if (Object.isFrozen(caller) && isFixed(caller.roles) && isFixed(caller.inherited)) keys.set(caller, key);
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

function isFixed(list: readonly string[] | undefined): boolean {
  return list === undefined || Object.isFrozen(list);
}

type Depends = Readonly<Record<keyof Caller, boolean>>;

function toTable(facts: readonly (keyof Caller)[] | undefined): Depends {
  const known = Object.keys(callerFields) as (keyof Caller)[];
  return Object.fromEntries(known.map((fact) => [fact, facts?.includes(fact) ?? true])) as Depends;
}

/**
 * Equal for equal facts only: each value is written with its fact, its type and its length.
 * Written out and not a loop, because it runs at every call.
 */
function factsKey(caller: Caller, depends: Depends): string {
  let key = "";
  if (depends.agent && caller.agent !== undefined) key += write("a", caller.agent);
  if (depends.principal && caller.principal !== undefined) key += write("P", caller.principal);
  if (depends.acting && caller.acting !== undefined) key += write("A", caller.acting);
  if (depends.provider && caller.provider !== undefined) key += write("p", caller.provider);
  if (depends.model && caller.model !== undefined) key += write("m", caller.model);
  if (depends.channel && caller.channel !== undefined) key += write("c", caller.channel);
  if (depends.group && caller.group !== undefined) key += write("g", caller.group);
  if (depends.sender && caller.sender !== undefined) key += write("s", caller.sender);
  if (depends.owner && caller.owner !== undefined) key += write("o", caller.owner);
  if (depends.tenant && caller.tenant !== undefined) key += write("t", caller.tenant);
  if (depends.session && caller.session !== undefined) key += write("S", caller.session);
  if (depends.run && caller.run !== undefined) key += write("r", caller.run);
  if (depends.subagentDepth && caller.subagentDepth !== undefined) key += write("d", caller.subagentDepth);
  if (depends.sandboxed && caller.sandboxed !== undefined) key += write("b", caller.sandboxed);
  if (depends.phase && caller.phase !== undefined) key += write("f", caller.phase);
  if (depends.roles && caller.roles !== undefined) key += write("R", caller.roles);
  // A parent may have thousands of tools.
  if (depends.inherited && caller.inherited !== undefined) key += write("i", contentHash(caller.inherited));
  return key;
}

function write(fact: string, value: unknown): string {
  if (typeof value === "string") return `${fact}${value.length}:${value}`;
  if (Array.isArray(value)) return `${fact}[${value.length}:${value.map((item) => write("", item)).join("")}`;
  return `${fact}${typeof value} ${String(value)};`;
}
