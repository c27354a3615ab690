import { describe, expect, it } from "vitest";
import { errorCodes } from "../src/error-codes.ts";
import { ToolAuthorizationError, ToolError, ToolInputError } from "../src/errors.ts";

describe("errors", () => {
  it("have a code, and the status that belongs to it", () => {
    expect(new ToolError("TOOL_NOT_FOUND", "No tool.")).toMatchObject({
      code: "TOOL_NOT_FOUND",
      status: 404,
      message: "No tool.",
      retryable: false,
    });
    expect(new ToolError("TIMEOUT", "Slow.", { retryable: true, cause: "network" })).toMatchObject({
      status: 504,
      retryable: true,
      cause: "network",
    });
  });

  // row: B6
  it("about the input answer 400, about rights 403, and the second kind is one of the first", () => {
    const input = new ToolInputError("no such file");
    const rights = new ToolAuthorizationError("not yours");
    expect(input).toMatchObject({ name: "ToolInputError", code: "INPUT_INVALID", status: 400 });
    expect(rights).toMatchObject({ name: "ToolAuthorizationError", code: "TOOL_NOT_ALLOWED", status: 403 });
    expect(rights).toBeInstanceOf(ToolInputError);
    expect(input).toBeInstanceOf(ToolError);
    expect(input).not.toBeInstanceOf(ToolAuthorizationError);
    expect(new ToolInputError("gone", { code: "TOOL_DISABLED" })).toMatchObject({ code: "TOOL_DISABLED", status: 403 });
  });

  it("are known for what they are, also when another copy of the package made them", () => {
    expect(ToolError.is(new ToolInputError("x"))).toBe(true);
    expect(ToolError.is(Object.defineProperty(new Error("x"), Symbol.for("toolrack.error"), { value: true }))).toBe(true);
    for (const other of [new Error("x"), { code: "TIMEOUT" }, "TIMEOUT", null, undefined]) expect(ToolError.is(other)).toBe(false);
  });

  it("have codes in capitals, each with a sentence and an HTTP status", () => {
    for (const [code, { status, sentence }] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(sentence).toMatch(/^[A-Z].*[.-]$/);
      expect(status >= 400 && status < 600, code).toBe(true);
    }
  });
});
