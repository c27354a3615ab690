import { schemaErrorCodes } from "@toolrack/json-schema";
import type { ErrorCode, errorStatus } from "./errors.ts";

/** The codes that are about tools; those about schemas come from @toolrack/json-schema. */
const toolErrorCodes = {
  // Mistakes in a definition: thrown, because they are bugs.
  DEFINITION_INVALID: { status: 400, sentence: "A tool definition has a wrong or missing field." },
  NAME_INVALID: { status: 400, sentence: "A name must be 1 to 128 of the characters A-Z a-z 0-9 _ . -" },
  NAME_TAKEN: { status: 409, sentence: "Another tool already has this name." },
  CAPABILITY_UNKNOWN: { status: 400, sentence: "No check exists for a capability that a tool requires." },
  SERVICE_MISSING: {
    status: 409,
    sentence: "A tool declares a service in `metadata.services` that its registry, or the call, does not have.",
  },
  BUNDLE_INVALID: { status: 400, sentence: "A bundle has a wrong or missing field." },
  CONFIG_INVALID: { status: 400, sentence: "A configuration has a wrong key or value." },
  REPLY_INVALID: { status: 400, sentence: "What was to be read is not a reply of that model vendor." },
  POLICY_INVALID: { status: 400, sentence: "A policy has a wrong key or value." },
  PLUGIN_INVALID: { status: 400, sentence: "A plugin cannot be loaded." },
  SOURCE_FAILED: { status: 502, sentence: "A source of tools failed." },
  // Outcomes of a call: returned, because calls fail in ordinary ways.
  TOOL_NOT_FOUND: { status: 404, sentence: "No tool has this name." },
  TOOL_NOT_ALLOWED: { status: 403, sentence: "The caller's policy hides this tool." },
  TOOL_DISABLED: { status: 403, sentence: "This tool is switched off." },
  TOOL_HELD: {
    status: 403,
    sentence: "A person has to look at this tool first: its definition is new or has changed, or it asks for more than somebody granted.",
  },
  TOOL_UNAVAILABLE: { status: 503, sentence: "Something that this tool needs is missing on this machine." },
  NEEDS_CONFIGURATION: { status: 409, sentence: "This tool has a required setting or secret that is not set." },
  INPUT_INVALID: { status: 400, sentence: "The input does not match the tool's schema." },
  OUTPUT_INVALID: { status: 502, sentence: "The tool's output does not match its output schema." },
  RESULT_INVALID: { status: 502, sentence: "The tool returned something that cannot be a result." },
  RESULT_TOO_LARGE: { status: 502, sentence: "The tool's result is larger than its limit." },
  PATH_OUTSIDE_WORKSPACE: { status: 403, sentence: "A path leads outside of the workspace." },
  BLOCKED: { status: 403, sentence: "A before-call hook blocked the call." },
  APPROVAL_REQUIRED: { status: 403, sentence: "A person must approve this call first." },
  APPROVAL_DENIED: { status: 403, sentence: "A person denied this call." },
  ANSWER_UNAVAILABLE: { status: 403, sentence: "The tool has to ask a person, and no one can be asked." },
  RATE_LIMITED: { status: 429, sentence: "Too many calls in this period." },
  BUDGET_EXCEEDED: { status: 429, sentence: "The run has made all calls that it may make." },
  LOOP_DETECTED: { status: 429, sentence: "The same call was repeated with the same result." },
  QUEUE_FULL: { status: 429, sentence: "Too many calls are already waiting for this tool." },
  CIRCUIT_OPEN: { status: 503, sentence: "The tool failed repeatedly and is not called for now." },
  CALL_NOT_RECORDED: { status: 503, sentence: "The start of the call could not be recorded, so the tool did not run." },
  DEPTH_EXCEEDED: { status: 508, sentence: "Tools called tools in more levels than allowed." },
  OUTCOME_UNKNOWN: { status: 409, sentence: "The server that made this call is gone; it is not known whether the tool did its work." },
  WORKER_LOST: { status: 502, sentence: "The worker that ran this call is gone; it is not known whether the tool did its work." },
  ABORTED: { status: 499, sentence: "The call was cancelled before it ended: by its caller, or because the server shut down." },
  TIMEOUT: { status: 504, sentence: "The tool did not finish in time." },
  SECRET_MISSING: { status: 409, sentence: "A secret that the tool needs is not set, or the tool does not declare it." },
  STORE_UNAVAILABLE: { status: 503, sentence: "The database that the call needs is not available at the moment." },
  TOOL_FAILED: { status: 500, sentence: "The tool threw an error." },
} as const;

/** Every code with its HTTP status, and the sentence that the reference page prints. */
export const errorCodes: { readonly [Code in ErrorCode]: { readonly status: (typeof errorStatus)[Code]; readonly sentence: string } } = {
  ...schemaErrorCodes,
  ...toolErrorCodes,
};
