import { createHash } from "node:crypto";

export interface WholeMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly hash: string;
}

/** A message that tells whether all of it is there. */
export function wholeMessage(name: string, size: number): WholeMessage {
  const content = `${name} ${"ü".repeat(size)}`;
  return { role: "assistant", content, hash: hashOf(content) };
}

export function isWhole({ content, hash }: WholeMessage): boolean {
  return hashOf(content) === hash;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
