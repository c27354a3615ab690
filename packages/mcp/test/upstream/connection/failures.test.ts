import { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { isSessionGone, toUpstreamError } from "../../../src/upstream/connection/failures.ts";
import { streamEnded } from "../../../src/upstream/http/limit-body.ts";
import { tooLarge } from "../../../src/upstream/stdio/stdio.ts";
import { ambiguous } from "../../../src/wire/single-reading.ts";

const thrown = (fields: object = {}, message = "It said no.") => Object.assign(new Error(message), fields);

describe("what went wrong with a server", () => {
  it.each<[what: string, error: unknown, code: string, fact: string]>([
    [
      "401",
      thrown({ data: { status: 401 } }),
      "NEEDS_CONFIGURATION",
      "refuses the credentials it was given. Check its headers or its sign-in. It said no.",
    ],
    ["403", thrown({ data: { status: 403 } }), "NEEDS_CONFIGURATION", "refuses the credentials"],
    ["a sign-in", thrown({ code: "CLIENT_HTTP_AUTHENTICATION" }), "NEEDS_CONFIGURATION", "refuses the credentials"],
    ["no authorisation", thrown({ name: "UnauthorizedError" }), "NEEDS_CONFIGURATION", "refuses the credentials"],
    ["too little scope", thrown({ name: "InsufficientScopeError" }), "NEEDS_CONFIGURATION", "refuses the credentials"],
    ["a timeout", thrown({ code: "REQUEST_TIMEOUT" }), "TIMEOUT", "did not answer in time."],
    ["a signal's timeout", thrown({ name: "TimeoutError" }), "TIMEOUT", "did not answer in time."],
    ["too long a message", thrown({ code: tooLarge }), "RESULT_TOO_LARGE", "answered with too much: It said no."],
    ["too long a response", thrown({ code: "RESPONSE_TOO_LARGE" }), "RESULT_TOO_LARGE", "answered with too much"],
    ["no result", thrown({ code: "INVALID_RESULT" }), "RESULT_INVALID", "answered with something that is no result: It said no."],
    ["another result", thrown({ code: "UNSUPPORTED_RESULT_TYPE" }), "RESULT_INVALID", "is no result"],
    ["two readings", thrown({ code: ambiguous }), "RESULT_INVALID", "is no result"],
    ["an error of the protocol", thrown({ code: -32602 }), "TOOL_FAILED", "refused the call: It said no. (-32602)"],
    ["a stream that ended", thrown({ code: streamEnded }), "SOURCE_FAILED", "failed: It said no."],
    ["another status", thrown({ data: { status: 500 } }), "SOURCE_FAILED", "failed: It said no."],
    ["a status that is none", thrown({ data: { status: "401" } }), "SOURCE_FAILED", "failed: It said no."],
    ["no data", thrown({ data: null }), "SOURCE_FAILED", "failed: It said no."],
    ["no error", "just a text", "SOURCE_FAILED", "failed: just a text"],
    ["nothing", undefined, "SOURCE_FAILED", "failed: undefined"],
  ])("is told: %s", (_what, error, code, fact) => {
    const told = toUpstreamError("hand", error);
    expect(told).toMatchObject({ code, cause: error, retryable: false });
    expect(told.message.startsWith('MCP server "hand" ')).toBe(true);
    expect(told.message).toContain(fact);
  });

  it("is not told twice, and not at any length", () => {
    const own = new ToolError("TIMEOUT", "Too late.");
    expect(toUpstreamError("hand", own)).toBe(own);
    expect(toUpstreamError("hand", thrown({}, "x".repeat(5_000))).message).toBe(`MCP server "hand" failed: ${"x".repeat(1_000)}`);
  });

  it("is a lost session where the server answers 404", () => {
    expect([{ data: { status: 404 } }, { data: { status: 400 } }, {}].map((fields) => isSessionGone(thrown(fields)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isSessionGone("404")).toBe(false);
  });
});
