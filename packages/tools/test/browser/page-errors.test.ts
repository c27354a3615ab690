import { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { toPageError } from "../../src/browser/page-errors.ts";
import type { BrowserSession } from "../../src/browser/session.ts";

const session = { refusalOf: (url: string) => (url.includes("bad") ? "bad.example is not allowed." : undefined) } as BrowserSession;
const named = (message: string, name = "Error"): Error => Object.assign(new Error(message), { name });

describe("an error of the browser", () => {
  it.each([
    [
      "page.goto: Timeout 5 ms exceeded.\nlog of attempts",
      "TimeoutError",
      "TIMEOUT",
      "The page did not do it in time: Timeout 5 ms exceeded. Take a snapshot to see what it shows.",
      false,
    ],
    [
      "locator.click: Target page, context or browser has been closed",
      "Error",
      "TOOL_FAILED",
      "The tab was closed meanwhile. Open the page again.",
      false,
    ],
    ["Page crashed", "Error", "TOOL_FAILED", "The tab was closed meanwhile. Open the page again.", false],
    [
      "page.goto: net::ERR_NAME_NOT_RESOLVED at https://x",
      "Error",
      "TOOL_FAILED",
      "The page could not be opened: net::ERR_NAME_NOT_RESOLVED at https://x",
      true,
    ],
    ["\u001B[31mpage.fill: not a field\u001B[39m", "Error", "INPUT_INVALID", "The browser refused: not a field", false],
  ])("%j (%s) is %s", (message, name, code, text, retryable) => {
    const cause = named(message, name);
    const error = toPageError(cause, session, "https://good.example/") as ToolError;
    expect({ code: error.code, message: error.message, retryable: error.retryable === true, cause: error.cause }).toEqual({
      code,
      message: text,
      retryable,
      cause,
    });
  });

  it("names the rule where the address was refused, and only for what a refusal looks like", () => {
    const blocked = named("page.goto: net::ERR_TUNNEL_CONNECTION_FAILED at https://bad.example/");
    expect(toPageError(blocked, session, "https://bad.example/")).toMatchObject({
      code: "TOOL_NOT_ALLOWED",
      message: "bad.example is not allowed.",
    });
    expect(toPageError(blocked, session, "https://good.example/")).toMatchObject({ code: "TOOL_FAILED" });
    expect(toPageError(blocked, session, undefined)).toMatchObject({ code: "TOOL_FAILED" });
    expect(toPageError(named("net::ERR_ABORTED"), session, "https://bad.example/")).toMatchObject({ code: "TOOL_FAILED" });
  });

  it("stays what it is where it is one of the tool, or none at all", () => {
    const own = new ToolError("ABORTED", "Stopped.");
    expect(toPageError(own, session, undefined)).toBe(own);
    expect(toPageError("text", session, undefined)).toBe("text");
  });

  it("is shown in short", () => {
    expect((toPageError(named("x".repeat(900)), session, undefined) as Error).message).toBe(`The browser refused: ${"x".repeat(400)}`);
  });
});
