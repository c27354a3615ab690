import { leafHash, type MerkleHead, verifyConsistency, verifyInclusion } from "./merkle.ts";

/** A head with the time at which it was the newest one, in milliseconds since 1970. */
export interface LogHead extends MerkleHead {
  readonly at: number;
}

/** An Ed25519 signature of `headText(head, head.at)`. Both texts are hexadecimal digits. */
export interface HeadSignature {
  /** Names the key of the audit that the signing key is derived from. */
  readonly keyId: string;
  readonly publicKey: string;
  readonly signature: string;
}

/** Shows that an entry is in a log of definitions. It is all that a check needs: no server, and no other file. */
export interface DefinitionProof {
  readonly format: "toolrack.proof.v1";
  /** JSON, byte for byte as it was logged. */
  readonly entry: string;
  readonly index: number;
  readonly head: LogHead;
  readonly inclusion: readonly string[];
  /** Shows that an older head is the beginning of the same log. */
  readonly since?: { readonly head: MerkleHead; readonly consistency: readonly string[] };
  readonly signature?: HeadSignature;
}

export type ProofCheck =
  | { readonly ok: true; readonly entry: Readonly<Record<string, unknown>>; readonly head: LogHead }
  | { readonly ok: false; readonly reason: string };

export interface ProofOptions {
  /** A head that was kept from before: the proof must show that the log still begins with it. */
  readonly since?: MerkleHead;
}

/**
 * Whether a proof holds in itself: the entry is in the log of this head, and that log continues the older one. Never throws; whatever is
 * malformed does not hold. Signatures are checked by `verifyHead` of `@toolrack/store`.
 */
export function verifyProof(value: unknown, options: ProofOptions = {}): ProofCheck {
  const proof = value as Partial<DefinitionProof> | null;
  if (typeof proof !== "object" || proof === null || proof.format !== "toolrack.proof.v1")
    return refused('This is no proof: it has no "format": "toolrack.proof.v1". Make one with: toolrack proof <tool> > proof.json');
  const { entry, index, head, inclusion, since } = proof as DefinitionProof;
  const read = typeof entry === "string" ? parse(entry) : undefined;
  if (read === undefined) return refused("The entry of the proof is not a JSON object in a string.");
  if (typeof head !== "object" || head === null || !Number.isSafeInteger(head.at)) return refused("The head of the proof has no time.");
  if (!verifyInclusion({ leaf: leafHash(entry), index, head, proof: inclusion }))
    return refused(
      `The entry is not entry ${String(index).slice(0, 20)} of the log with this head: the entry, the head or the proof was changed.`,
    );
  if (since !== undefined && !(isObject(since) && verifyConsistency({ from: since.head, to: head, proof: since.consistency })))
    return refused("The log of this head does not begin with that of the older head: the log was rewritten, or the proof was changed.");
  const wanted = options.since;
  if (wanted !== undefined && !isContinued(wanted, head, since?.head))
    return refused(
      `The proof does not reach back to the head that you kept (${wanted.size} entries, root ${String(wanted.root).slice(0, 64)}). Make one with: toolrack proof <tool> --since <that file>`,
    );
  return { ok: true, entry: read, head };
}

function isContinued(wanted: MerkleHead, head: MerkleHead, shown: MerkleHead | undefined): boolean {
  return [head, shown].some((one) => one !== undefined && one.size === wanted.size && one.root === wanted.root);
}

function refused(reason: string): ProofCheck {
  return { ok: false, reason };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
