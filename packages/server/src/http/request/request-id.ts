import { newCallId } from "../../rack/calls/call-id.ts";

/** The id of a request: what its X-Request-Id says, where that is well-formed, so that a proxy's log and this one's name it alike; else a new one. */
export function readRequestId(given: string | undefined): string {
  return given !== undefined && wellFormed.test(given) ? given : newCallId();
}

/** Nothing that would have to be quoted in a log or a header. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._:@+/=-]{0,127}$/;
