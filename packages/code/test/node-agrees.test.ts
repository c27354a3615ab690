import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "@toolrack/testkit/sized";
import { runProgram } from "../src/index.ts";
import { nodeRun } from "./support/in-node.ts";
import { runPaused } from "./support/paused.ts";
import { randomProgram } from "./support/random-program.ts";

const numbers = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 120 });
const tools = { add: async ({ a, b }: { a: number; b: number }): Promise<unknown> => ({ sum: a + b }) };
const limits = { steps: 200_000, calls: 1_000, outputBytes: 1e7 };

test("a program of the language does what it does in Node", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, async (drawn) => {
      const source = randomProgram(drawn, { calls: true });
      const result = await runProgram(source, { tools, limits });
      if (!result.ok && result.error.kind === "limit") return;
      const expected = await nodeRun(source, tools);
      if ("thrown" in expected)
        expect(result, source).toMatchObject({ ok: false, error: { message: expect.stringContaining(expected.thrown) as string } });
      else
        expect(result.ok ? { value: result.value, logs: result.logs.map(({ text }) => text) } : result.error.message, source).toEqual(
          expected,
        );
    }),
    { numRuns: sized(150, 20_000) },
  );
});

test("a program that is stored at every call and after every few steps ends as one that is not", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (drawn, pauseAfter, tracked) => {
      const source = randomProgram(drawn, { calls: true });
      const options = { limits, ...(tracked ? { labels: { add: ["private"] } } : {}) };
      const { pauses: _pauses, largest: _largest, ...paused } = await runPaused(source, tools, options, pauseAfter);
      expect({ ...paused, status: undefined }, source).toEqual({ ...(await runProgram(source, { tools, ...options })), status: undefined });
    }),
    { numRuns: sized(30, 4_000) },
  );
});
