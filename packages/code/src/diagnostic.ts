/** A finding about a program before it runs. */
export interface Diagnostic {
  readonly kind: "syntax" | "unsupported";
  /** What is wrong, the way out, and the line of the source. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}
