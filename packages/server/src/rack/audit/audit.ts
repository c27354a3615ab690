import { addToAudit, type BreadcrumbStore, createRedaction, type RedactionOptions } from "@toolrack/store";
import { type Author, signedBy } from "./author.ts";

/** Something that somebody did to the server itself: made a key, changed a setting, decided about a call. */
export interface AuditedAction {
  /** "key-created" */
  readonly kind: string;
  /** What it was done to. */
  readonly subject: string;
  readonly by: Author;
  readonly body: unknown;
}

/** Adds a line to the audit. */
export type WriteAudit = (action: AuditedAction) => Promise<void>;

/** Deeds stand in the same chain as calls, without what nobody should read. */
export function createAudit(store: BreadcrumbStore, options: RedactionOptions): WriteAudit {
  const redaction = createRedaction(options);
  return ({ kind, subject, by, body }) => addToAudit(store, [{ kind, subject, ...signedBy(by), body: redaction()(body) }]);
}
