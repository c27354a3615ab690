import { createMerkleLog, leafHash } from "@toolrack/core/internal";
import type { MerkleHead, MerkleLog } from "@toolrack/core/trust";
import type { AuditRow } from "../engine/audit.ts";
import type { DefinitionLogReads } from "../engine/definition-log.ts";
import { isObject } from "../record/json.ts";
import { readBody } from "./anchor.ts";

/** A head that a line of the audit states. */
export interface LogAnchor extends MerkleHead {
  /** The number of the line. */
  readonly line: number;
}

/** The head that a line states, whatever the line's own subject; undefined for other lines. */
export function readAnchor({ kind, number, body }: AuditRow): LogAnchor | undefined {
  if (kind !== "definition-log" && kind !== "audit-pruned") return undefined;
  const { log } = readBody(body);
  if (log === undefined && kind === "audit-pruned") return undefined;
  const { size, root } = (isObject(log) ? log : {}) as Partial<Record<keyof MerkleHead, unknown>>;
  // The line may have been changed, to anything: then it states what cannot be so.
  return { line: number, size: Number.isSafeInteger(size) ? (size as number) : -1, root: typeof root === "string" ? root : "" };
}

export type LogCheck =
  | { readonly ok: true; readonly head: MerkleHead }
  | { readonly ok: false; readonly reason: string; /** The line of the audit that it contradicts. */ readonly line?: number };

/** Reads the whole log: every entry must have its hashes, and the log must have had each of these heads. */
export async function checkLog(reads: DefinitionLogReads, anchors: readonly LogAnchor[]): Promise<LogCheck> {
  const log = createMerkleLog();
  for (;;) {
    const page = await reads.logFrom(log.size, 500);
    if (page.length === 0) break;
    for (const { index, body, nodes } of page) {
      if (index !== log.size) return { ok: false, reason: `Entry ${log.size} of the log of definitions is missing.` };
      log.appendLeaf(leafHash(body));
      if (nodes !== nodesEnding(log, index))
        return { ok: false, reason: `Entry ${index} of the log of definitions does not match its hashes: it was changed.` };
    }
  }
  for (const { line, size, root } of anchors) {
    if (size < 0) return { ok: false, line, reason: "the log of definitions had a head, and this line does not say which: it was changed" };
    if (size > log.size)
      return { ok: false, line, reason: `the log of definitions had ${size} entries, and has ${log.size}: its end was cut off` };
    if (log.head(size).root !== root)
      return { ok: false, line, reason: `the first ${size} entries of the log of definitions had another root: the log was rewritten` };
  }
  return { ok: true, head: log.head() };
}

/** The hashes of all complete subtrees that end with this entry, as they are stored. */
function nodesEnding(log: MerkleLog, index: number): string {
  let nodes = "";
  for (let level = 0, end = index + 1; ; level += 1, end /= 2) {
    nodes += log.node(level, end - 1);
    if (end % 2 === 1) return nodes;
  }
}
