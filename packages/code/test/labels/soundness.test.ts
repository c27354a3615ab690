import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "@toolrack/testkit/sized";
import { runProgram, type ProgramResult } from "../../src/index.ts";
import { randomProgram } from "../support/random-program.ts";

const numbers = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 120 });
const secret = fc.record({
  value: fc.constantFrom("hunter2", "swordfish", "h", "k1"),
  n: fc.nat(60),
  list: fc.array(fc.nat(5), { maxLength: 4 }),
  flag: fc.boolean(),
});

async function withSecret(source: string, value: unknown): Promise<ProgramResult> {
  return await runProgram(source, {
    tools: { get_secret: async () => value },
    labels: { get_secret: ["secret"] },
    limits: { steps: 100_000, outputBytes: 1e7 },
  });
}

// Two runs that differ in the secret alone: whatever differs in what can be seen has to carry its label, in both.
test("what a secret decides carries its label", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, secret, secret, async (drawn, one, other) => {
      const source = randomProgram(drawn, { secret: true });
      const a = await withSecret(source, one);
      const b = await withSecret(source, other);
      if (!a.ok || !b.ok) return;
      expect(a.logs.length, source).toBe(b.logs.length);
      a.logs.forEach((log, index) => {
        const twin = b.logs[index] as (typeof a.logs)[number];
        if (log.text !== twin.text) {
          expect(log.labels, `${source}\n\n${log.text} / ${twin.text}`).toContain("secret");
          expect(twin.labels, `${source}\n\n${log.text} / ${twin.text}`).toContain("secret");
        }
      });
      if (JSON.stringify(a.value) !== JSON.stringify(b.value)) expect([a.labels, b.labels], source).toEqual([["secret"], ["secret"]]);
    }),
    { numRuns: sized(80, 30_000) },
  );
});
