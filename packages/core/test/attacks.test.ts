// Attacks on tool systems that the core alone has to stand, each named by its number.
import { runInThisContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { validateValue } from "@toolrack/json-schema";
import { applyToolPolicyPipeline } from "../src/policy/decide/pipeline.ts";
import { step, toolsNamed } from "./policy/tools.ts";

/** Runs it, and gives up on it after a time that is a thousand times what it takes. */
function answered<Value>(act: () => Value): Value {
  const holder = globalThis as { actOfThisTest?: (() => Value) | undefined };
  holder.actOfThisTest = act;
  try {
    return runInThisContext("actOfThisTest()", { timeout: 5_000 }) as Value;
  } finally {
    holder.actOfThisTest = undefined;
  }
}

describe("attacks", () => {
  it("S19: no pattern of a schema stalls on a text that was made for it", () => {
    const text = `${"a".repeat(50_000)}!`;
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)*x", "^(?=(a+)+$)"])
      expect(() => answered(() => validateValue({ pattern }, text)), pattern).not.toThrow();
  });

  it("S19: no glob of a policy stalls on a name that was made for it", () => {
    const tools = toolsNamed("a".repeat(5_000));
    expect(() => answered(() => applyToolPolicyPipeline({ tools, steps: [step({ deny: [`${"a*".repeat(50)}b`] })] }))).not.toThrow();
  });
});
