import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { headText } from "@toolrack/core/internal";
import type { DefinitionProof, HeadSignature, LogHead, MerkleHead } from "@toolrack/core/trust";
import { requireRole } from "../access.ts";
import type { ChainKey } from "../engine/audit.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { type LoggedDefinition, openDefinitionLog } from "./definition-log.ts";

/** The head of the log now. In an audit with a key, it is signed with an Ed25519 key that is derived from that key. */
export interface SignedHead {
  readonly head: LogHead;
  readonly signature?: HeadSignature;
}

export async function signedHead(store: BreadcrumbStore): Promise<SignedHead> {
  const { clock, auditKeys } = insideOf(store);
  const head: LogHead = { ...(await openDefinitionLog(store).head()), at: Math.floor(clock.now()) };
  const key = auditKeys.isLocked ? undefined : auditKeys.current;
  return key === undefined ? { head } : { head, signature: signHead(head, key) };
}

/** Proves that an entry is in the log, and where `since` is given, that the log begins with that older head. */
export async function proveEntry(store: BreadcrumbStore, entry: LoggedDefinition, since?: MerkleHead): Promise<DefinitionProof> {
  requireRole(store.actor, "curator", "read the log of definitions");
  const log = openDefinitionLog(store);
  const { head, signature } = await signedHead(store);
  return {
    format: "toolrack.proof.v1",
    entry: entry.text,
    index: entry.index,
    head,
    inclusion: await log.inclusionProof(entry.index, head.size),
    ...(since !== undefined && {
      since: { head: { size: since.size, root: since.root }, consistency: await log.consistencyProof(since.size, head.size) },
    }),
    ...(signature && { signature }),
  };
}

/** Whether the signature is of this head. Without `publicKey` it shows only that whoever has the signing key made both. Never throws. */
export function verifyHead({ head, signature }: SignedHead, publicKey?: string): boolean {
  try {
    if (signature === undefined || (publicKey !== undefined && publicKey !== signature.publicKey)) return false;
    const der = Buffer.concat([spkiStart, Buffer.from(signature.publicKey, "hex")]);
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(null, Buffer.from(headText(head, head.at)), key, Buffer.from(signature.signature, "hex"));
  } catch {
    return false;
  }
}

function signHead(head: LogHead, key: ChainKey): HeadSignature {
  const privateKey = signingKey(key);
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(spkiStart.length).toString("hex");
  return { keyId: key.id, publicKey, signature: sign(null, Buffer.from(headText(head, head.at)), privateKey).toString("hex") };
}

function signingKey({ bytes }: ChainKey): KeyObject {
  const seed = createHmac("sha256", bytes).update("toolrack.log-head.v1 signing key").digest();
  return createPrivateKey({ key: Buffer.concat([pkcs8Start, seed]), format: "der", type: "pkcs8" });
}

// What stands before the 32 bytes of an Ed25519 key in DER.
const spkiStart = Buffer.from("302a300506032b6570032100", "hex");
const pkcs8Start = Buffer.from("302e020100300506032b657004220420", "hex");
