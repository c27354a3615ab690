import { type ErrorCode, ToolError } from "@toolrack/core";
import { cleanText } from "@toolrack/core/scan";
import { streamEnded } from "../http/limit-body.ts";
import { ambiguous } from "../../wire/single-reading.ts";
import { tooLarge } from "../stdio/stdio.ts";

/**
 * What went wrong with a server, as one coded error. The text of the server is truncated, since it can be of any length; credentials have to be taken
 * out before, because half a credential is not recognised.
 */
export function toUpstreamError(server: string, thrown: unknown): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const { code, message, status } = read(thrown);
  const error = (errorCode: ErrorCode, fact: string, retryable = false): ToolError =>
    new ToolError(errorCode, `MCP server "${server}" ${fact}`, { cause: thrown, retryable });
  const said = cleanText(message.slice(0, 1_000));
  if (status === 401 || status === 403 || code === "CLIENT_HTTP_AUTHENTICATION" || isUnauthorized(thrown))
    return error("NEEDS_CONFIGURATION", `refuses the credentials it was given. Check its headers or its sign-in. ${said}`);
  if (code === "REQUEST_TIMEOUT" || (thrown instanceof Error && thrown.name === "TimeoutError"))
    return error("TIMEOUT", "did not answer in time.");
  if (code === tooLarge || code === "RESPONSE_TOO_LARGE") return error("RESULT_TOO_LARGE", `answered with too much: ${said}`);
  if (code === "INVALID_RESULT" || code === "UNSUPPORTED_RESULT_TYPE" || code === ambiguous)
    return error("RESULT_INVALID", `answered with something that is no result: ${said}`);
  if (typeof code === "number" && code !== streamEnded) return error("TOOL_FAILED", `refused the call: ${said} (${code})`);
  return error("SOURCE_FAILED", `failed: ${said}`);
}

/** Whether the server has forgotten the session: the request did not reach a tool, and may be sent again on a new one. */
export function isSessionGone(thrown: unknown): boolean {
  return read(thrown).status === 404;
}

function isUnauthorized(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === "UnauthorizedError" || thrown.name === "InsufficientScopeError");
}

interface Facts {
  readonly code: unknown;
  readonly message: string;
  readonly status: number | undefined;
}

function read(thrown: unknown): Facts {
  if (!(thrown instanceof Error)) return { code: undefined, message: String(thrown), status: undefined };
  const { code, data } = thrown as { code?: unknown; data?: unknown };
  const status = typeof data === "object" && data !== null ? (data as { status?: unknown }).status : undefined;
  return { code, message: thrown.message, status: typeof status === "number" ? status : undefined };
}
