/**
 * Parts that the packages of this repository share. They may change with every version, without a word in the changelog: import nothing
 * from here in a program of your own.
 */
export { createFieldCheck, createRedactor, type Redactor } from "../util/redactor.ts";
export { unseenIn } from "../util/hidden-text.ts";
export { type Disguise, disguiseOf } from "../util/look-alikes.ts";
export { type SessionKind, sessionKind } from "../util/session-kind.ts";
export { longestTimerMs } from "../util/longest-timer.ts";
export { onAbort } from "../util/abort-watchers.ts";
export { pause, untilAborted } from "../util/until-aborted.ts";
export { canonicalJson, jsonEquals } from "@toolrack/json-schema";
export { isObject, nearestNames } from "@toolrack/json-schema/internal";
export { deepFreeze } from "../util/deep-freeze.ts";
export { normalizeToolName } from "../tool/name.ts";
export { readTool } from "../tool/shapes.ts";
export { withCause } from "../tool/with-cause.ts";
export { decodeUri } from "../util/decode-uri.ts";
export { readLimited } from "../util/read-limited.ts";
export { within, type Outcome } from "../util/within.ts";
export { mergeJson } from "../util/merge-json.ts";
export { isOutage, type Outage, outageMark } from "../errors.ts";
export { declaredBy, type DeclaredNames } from "../lint/declared-names.ts";
export { defaultInputKeys, hasMoreKeys, inBrief, tooManyKeys } from "../call/input-size.ts";
export { defaultMaxResultBytes } from "../call/wrappers/result-size.ts";
export { defaultTimeoutMs } from "../tool/time-limit.ts";
export { createInputReader } from "../tool/input.ts";
export { describeInvalidInput } from "../tool/invalid-input.ts";
export { type Pins, pinsOf, withPins } from "../tool/tool.ts";
export { keyedInput } from "../call/idempotency.ts";
export { toFailure } from "../tool/result.ts";
export { actionsOf } from "../tool/without-actions.ts";
export { unshownData } from "../tool/unshown-data.ts";
export { withFetchCause } from "../util/fetch-cause.ts";
export { outgoingTrace, type TraceContext } from "../util/trace-context.ts";
export { ApprovalNeeded } from "../call/approval.ts";
export type { TracedCall } from "../call/host.ts";
export { isProgram } from "../util/is-program.ts";
export { isInside, realPlace } from "../util/path-inside.ts";
export {
  createRequestGuard,
  type GuardFault,
  isLoopbackAddress,
  isLoopbackHost,
  loopbackHosts,
  type RequestGuard,
  type RequestGuardOptions,
  toOrigin,
} from "../util/request-guard.ts";
export { viewCapability } from "../registry/capabilities.ts";
export { redactedMark } from "../util/redact-json-text.ts";
export { type Deliver, deliveries, toReceipt } from "../tool/deliver.ts";
export { leavesKeyFree } from "../tool/result.ts";
export { JsonError, type JsonFault, readJson, readUtf8 } from "../util/strict-json.ts";
export {
  checkArgument,
  checkFields,
  type FieldKind,
  type FieldsOf,
  flag,
  method,
  objectWith,
  positive,
  portWith,
  text,
} from "../util/check-fields.ts";
export { metadataFields } from "../tool/metadata.ts";
export { changeTool } from "../tool/tool.ts";
export { fromSnakeCase } from "../tool/snake-case.ts";
export { freeWireName } from "../providers/wire/names.ts";
// Also at /trust, which brings the scanner along where it is loaded whole.
export { createMerkleLog, headText, leafHash, merkleProofs, nodeHash } from "../trust/merkle.ts";
export { definitionPrint } from "../trust/print.ts";
export { type PathPlace, withinFolder, withPathPlace } from "../tool/path-place.ts";
export { verifyProof } from "../trust/proof.ts";
export { isSwitchOf } from "../registry/name-switches.ts";
export {
  governedNames,
  grantingNames,
  isGovernedAs,
  type Registration,
  registeredNameOf,
  registrationOf,
  withRegistration,
} from "../tool/registered.ts";
