import type { Node } from "../parse/tree.ts";
import type { FunctionInfo, Resolved, Scope } from "../scope/scope.ts";
import type { Effect } from "./effect.ts";

export type EffectsOf = (nodes: readonly Node[], from: FunctionInfo, hops: (scope: Scope) => number) => readonly Effect[];

export function createEffects(_resolved: Resolved): EffectsOf {
  return () => [];
}
