import { stripVTControlCharacters } from "node:util";
import { ToolError, ToolInputError } from "@toolrack/core";
import type { BrowserSession } from "./session.ts";

/** What an error of the browser means for the call. */
export function toPageError(error: unknown, session: BrowserSession, url: string | undefined): unknown {
  if (ToolError.is(error) || !(error instanceof Error)) return error;
  // The first line is the fact; a log of attempts follows.
  const fact = stripVTControlCharacters(error.message)
    .split("\n", 1)[0]!
    .replace(/^\w+\.\w+: /, "")
    .slice(0, 400);
  const refusal = url === undefined ? undefined : session.refusalOf(url);
  if (refusal !== undefined && /ERR_TUNNEL|ERR_PROXY|ERR_FAILED|ERR_BLOCKED/.test(fact)) return new ToolError("TOOL_NOT_ALLOWED", refusal);
  if (error.name === "TimeoutError")
    return new ToolError("TIMEOUT", `The page did not do it in time: ${fact} Take a snapshot to see what it shows.`, { cause: error });
  if (/Target (?:page|closed)|has been closed|crashed/i.test(fact))
    return new ToolError("TOOL_FAILED", "The tab was closed meanwhile. Open the page again.", { cause: error });
  if (/net::ERR_/.test(fact))
    return new ToolError("TOOL_FAILED", `The page could not be opened: ${fact}`, { cause: error, retryable: true });
  return new ToolInputError(`The browser refused: ${fact}`, { cause: error });
}
