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
  /** "sha256:…" of the text in question, all of it: to accept the finding for this text and no other. */
  readonly digest: string;
  /** Why a person accepted it. Such a finding is an info. */
  readonly accepted?: string;
}

/** A finding that a person has looked at and accepted. It holds for one text: when a letter of it changes, the finding is back. */
export interface AcceptedFinding {
  /** The digest of the finding. */
  readonly digest: string;
  /** @default every rule */
  readonly rule?: string;
  readonly reason: string;
}

/** Danger holds a tool back, a warning asks a person, an info is worth a look. */
export type ScanSeverity = "info" | "warning" | "danger";
