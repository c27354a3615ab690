import { ToolError } from "@toolrack/core";
import { outageMark } from "@toolrack/core/internal";
import { describe, expect, it } from "vitest";
import { McpError } from "../../src/errors.ts";
import { methodNotFound, toMcpError } from "../../src/serve/methods.ts";

describe("what went wrong, as an error of the protocol", () => {
  it("is itself, where it is one", () => {
    const error = new McpError("parse", "No JSON.");
    expect(toMcpError(error)).toBe(error);
  });

  it.each<[code: ConstructorParameters<typeof ToolError>[0], rpc: number]>([
    ["INPUT_INVALID", -32602],
    ["TOOL_NOT_FOUND", -32602],
    ["RATE_LIMITED", -32603],
    ["TOOL_FAILED", -32603],
  ])("blames the request or the server: %s", (code, rpc) => {
    const { code: given, message } = toMcpError(new ToolError(code, "The words."));
    expect({ given, message }).toEqual({ given: rpc, message: "The words." });
  });

  it.each([
    [true, { "toolrack/retryable": true }],
    [false, {}],
  ])("says of an outage when to try again, and whether: %s", (retryable, said) => {
    const outage = Object.assign(new Error("The store is away."), { [outageMark]: true, retryable, retryAfterMs: 500 });
    expect(toMcpError(outage)).toMatchObject({ code: -32603, message: "The store is away." });
    expect(toMcpError(outage).data).toEqual({ ...said, "toolrack/retryAfterMs": 500 });
  });

  it("tells nothing of what it does not know", () => {
    for (const thrown of [new Error("password=hunter2"), "hunter2", undefined, null]) {
      const error = toMcpError(thrown);
      expect(error).toMatchObject({ code: -32603, message: "The server failed to answer this request." });
      expect(JSON.stringify(error)).not.toContain("hunter2");
    }
  });

  it("names a method that there is not, shortened", () => {
    expect(methodNotFound("x".repeat(200))).toMatchObject({ code: -32601, message: `This server has no method "${"x".repeat(100)}".` });
  });
});
