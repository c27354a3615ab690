/** Definitions that are pinned: their print, what changed in them, and a log that anyone can check. */

export {
  type ConsistencyClaim,
  createMerkleLog,
  headText,
  type InclusionClaim,
  leafHash,
  type MerkleHead,
  type MerkleLog,
  merkleProofs,
  type MerkleProofs,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from "../trust/merkle.ts";
export { definitionPrint, pinnedForm, type PinnedKind, withPinnedWhereAbsent } from "../trust/print.ts";
export { type DefinitionProof, type HeadSignature, type LogHead, type ProofCheck, type ProofOptions, verifyProof } from "../trust/proof.ts";
export type { ChangeKind, DefinitionChange } from "../trust/change.ts";
export { type ChangeVerdict, type DefinitionDiff, diffDefinitions, type DiffOptions } from "../trust/diff.ts";
export {
  createLock,
  diffLocks,
  type LockChange,
  type LockedSource,
  type LockedTool,
  lockText,
  readLock,
  type ToolLock,
} from "../trust/lock.ts";
