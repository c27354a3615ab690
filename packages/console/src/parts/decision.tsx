import type { ReactNode } from "react";
import { Badge, type Meaning } from "./badge.tsx";

export interface DecisionLook {
  readonly word: string;
  readonly meaning: Meaning;
  readonly mark: string;
}

/** The letters of the policy matrix. */
export const decisions: ReadonlyMap<string, DecisionLook> = new Map([
  ["a", { word: "allowed", meaning: "good", mark: "●" }],
  ["?", { word: "needs approval", meaning: "warn", mark: "?" }],
  ["-", { word: "hidden by policy", meaning: "bad", mark: "–" }],
  ["x", { word: "unavailable", meaning: "quiet", mark: "·" }],
]);

export function lookOf(letter: string | undefined): DecisionLook {
  return decisions.get(letter ?? "x") ?? decisions.get("x")!;
}

export function Decision({ letter }: { readonly letter: string }): ReactNode {
  const { word, meaning } = lookOf(letter);
  return <Badge meaning={meaning}>{word}</Badge>;
}
