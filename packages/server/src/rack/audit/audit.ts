import { addToAudit, type BreadcrumbStore, createRedaction, type RedactionOptions } from "@toolrack/store";
import { type Author, signedBy } from "./author.ts";

/** An action on the server itself: a key was created, a setting changed, a call approved. */
export interface AuditedAction {
  /** "key-created" */
  readonly kind: string;
  /** The object of the action. */
  readonly subject: string;
  readonly by: Author;
  readonly body: unknown;
}

/** Adds an entry to the audit log. */
export type WriteAudit = (action: AuditedAction) => Promise<void>;

/** Actions are in the same hash chain as calls, with secrets redacted. */
export function createAudit(store: BreadcrumbStore, options: RedactionOptions): WriteAudit {
  const redaction = createRedaction(options);
  return ({ kind, subject, by, body }) => addToAudit(store, [{ kind, subject, ...signedBy(by), body: redaction()(body) }]);
}
