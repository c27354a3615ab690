import { decideCall } from "../calls/decide.ts";
import { createPathCheck } from "../calls/path-check.ts";
import { createPathResolver } from "../paths/resolve.ts";
import { policyParts } from "./decide.ts";
import type { DecisionParts } from "./decide-with.ts";

/** The functions that apply a policy. A policy brings them along, so that a registry without one does not load them. */
export interface PolicyEvaluator {
  readonly parts: DecisionParts;
  readonly decideCall: typeof decideCall;
  readonly createPathCheck: typeof createPathCheck;
  readonly createPathResolver: typeof createPathResolver;
}

export const policyEvaluator: PolicyEvaluator = Object.freeze({ parts: policyParts, decideCall, createPathCheck, createPathResolver });
