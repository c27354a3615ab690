import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "@toolrack/testkit/sized";
import { runProgram } from "../../src/index.ts";
import { leading, leadingInside, led, objects, writes } from "./choices.ts";

async function labelsOf(source: string): Promise<readonly string[]> {
  const result = await runProgram(`const s = (await tools.get_secret({})).value;${led}${source}\nreturn o.x ?? 0;`, {
    tools: { get_secret: async () => ({ value: "hunter2" }) },
    labels: { get_secret: ["secret"] },
  });
  expect(result.ok ? "" : result.error.message, source).toBe("");
  return result.labels;
}

function lead(value: string, step: (value: string) => string): string {
  return value.includes("await") && leadingInside.includes(step) ? value : step(value);
}

// The secret chooses another value here; had it been another one, the object would have been written.
test("what a secret did not choose tells of it, however an expression leads there", async () => {
  const chosen = fc
    .tuple(
      fc.constantFrom(...objects),
      fc.array(fc.constantFrom(...leading, ...leadingInside), { maxLength: 4 }),
      fc.constantFrom("{}", "null", "undefined", "0", '""'),
    )
    .map(([object, steps, other]) => [steps.reduce(lead, object), other] as const);
  await fc.assert(
    fc.asyncProperty(chosen, fc.constantFrom(...writes), async ([value, other], write) => {
      const source = write.replace("CHOSEN", () => `(s.length > 99 ? ${value} : ${other})`);
      expect(await labelsOf(source), source).toEqual(["secret"]);
    }),
    { numRuns: sized(300, 20_000) },
  );
});
