import type { ReactNode } from "react";

/** "`exec` is hidden" → the name as code, the rest as it is. */
export function Sentence({ text }: { readonly text: string }): ReactNode {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
