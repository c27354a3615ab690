import { describe, expect, it } from "vitest";
import { SchemaError, schemaErrorCodes } from "../src/errors.ts";
import { validateValue } from "../src/validate/validate.ts";

describe("SchemaError", () => {
  it("is what a wrong schema throws, with its code and status", () => {
    const thrown = errorOf(() => validateValue({ type: "text" }, "x"));
    expect(thrown).toBeInstanceOf(SchemaError);
    expect(thrown).toMatchObject({ name: "SchemaError", code: "SCHEMA_INVALID", status: schemaErrorCodes.SCHEMA_INVALID.status });
  });

  it("is recognised by its mark and code, also from another copy of the package", () => {
    const foreign = Object.assign(new Error("x"), { code: "SCHEMA_INVALID", [Symbol.for("toolrack.error")]: true });
    expect(SchemaError.is(foreign)).toBe(true);
    for (const other of [new Error("x"), Object.assign(foreign, { code: "TIMEOUT" }), null, "SCHEMA_INVALID"]) {
      expect(SchemaError.is(other)).toBe(false);
    }
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
