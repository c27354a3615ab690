import type { ReactNode } from "react";
import "./badge.css";

export type Meaning = "good" | "warn" | "bad" | "quiet";

/** A word with a color for its meaning. The word alone is sufficient. */
export function Badge({
  meaning = "quiet",
  children,
  title,
}: {
  readonly meaning?: Meaning;
  readonly children: ReactNode;
  readonly title?: string;
}): ReactNode {
  return (
    <span className={`badge ${meaning}`} title={title}>
      {children}
    </span>
  );
}

const states: ReadonlyMap<string, { readonly meaning: Meaning; readonly word: string }> = new Map([
  ["ready", { meaning: "good", word: "ready" }],
  ["deprecated", { meaning: "warn", word: "deprecated" }],
  ["resting", { meaning: "warn", word: "resting" }],
  ["disabled", { meaning: "quiet", word: "disabled" }],
  ["unavailable", { meaning: "bad", word: "unavailable" }],
  ["needs-configuration", { meaning: "warn", word: "needs configuration" }],
  ["draft", { meaning: "quiet", word: "draft" }],
  ["archived", { meaning: "quiet", word: "archived" }],
]);

/** How a tool is doing. */
export function StateBadge({ state, reason }: { readonly state: string; readonly reason?: string | undefined }): ReactNode {
  const { meaning, word } = states.get(state) ?? { meaning: "quiet", word: state };
  return (
    <Badge meaning={meaning} {...(reason !== undefined && { title: reason })}>
      {word}
    </Badge>
  );
}
