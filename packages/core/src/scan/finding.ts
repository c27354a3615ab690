/** Something in a definition or a result that a person should look at, or that should not reach a model at all. */
export interface ScanFinding {
  /** The rule's id: "secrecy". */
  readonly rule: string;
  readonly severity: ScanSeverity;
  /** In a tool: a JSON pointer to the text. In a result: the range of characters, "120-188". */
  readonly path: string;
  readonly message: string;
  /** The words in question, at most 200 characters, with invisible ones spelled out: "U+200B". */
  readonly evidence: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Danger holds a tool back, a warning asks a person, an info is worth a look. */
export type ScanSeverity = "info" | "warning" | "danger";
