import { newCallId } from "../../rack/calls/call-id.ts";

/** The id of a request: its X-Request-Id if that is well-formed, so that the logs of a proxy and the server match; else a new one. */
export function readRequestId(given: string | undefined): string {
  return given !== undefined && wellFormed.test(given) ? given : newCallId();
}

/** Only characters that need no quoting in a log or a header. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._:@+/=-]{0,127}$/;
