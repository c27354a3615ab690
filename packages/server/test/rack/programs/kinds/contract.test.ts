import { runProgram } from "@toolrack/code";
import { createRegistry, ToolError } from "@toolrack/core";
import { implementationContract } from "@toolrack/store/testing";
import { describe, it } from "vitest";
import { programKinds } from "../../../../src/rack/programs/kinds/program-kinds.ts";
import type { Programs } from "../../../../src/rack/programs/programs.ts";

/** Programs in memory, without a server. `forever` is a tool that waits until the call is aborted. */
const programs: Pick<Programs, "run"> = {
  async run({ source, input }, { signal }) {
    const forever = (): Promise<never> => new Promise(() => undefined);
    const result = await runProgram(source, { input, tools: { forever }, signal: signal as AbortSignal });
    if (!result.ok) throw new ToolError("TOOL_FAILED", result.error.message);
    return { value: result.value };
  },
};
const [code, chain] = programKinds({ programs, registry: createRegistry(), lackingPackOf: () => undefined });

describe("the kind code", () => {
  const checks = implementationContract(() => code!, {
    runs: [
      { implementation: { source: "return `Hello, ${input.name}.`;" }, input: { name: "Ada" }, content: "Hello, Ada." },
      { implementation: { source: "const n: number = 2;\nreturn { n };", tools: [] }, content: '{"n":2}' },
    ],
    refused: [
      {},
      { source: "" },
      { source: "return (" },
      { source: "import fs from 'node:fs'; return 1;" },
      { source: "return 1;", tools: "random" },
      { source: "return 1;", tools: [5] },
      { source: "return 1;", permissions: { net: true } },
      { source: `return "${"x".repeat(100_000)}";` },
    ],
    waits: { implementation: { source: "return await tools.forever({});", tools: ["forever"] } },
  });
  for (const check of checks) it(check.name, check.run);
});

describe("the kind chain", () => {
  const checks = implementationContract(() => chain!, {
    runs: [],
    refused: [],
    waits: { implementation: { steps: [{ id: "a", tool: "forever" }] } },
  });
  // Its runs need tools: they are in stored-chain.test.ts.
  for (const check of checks.filter(({ name }) => /aborted|any form|closed twice|has a name/.test(name))) it(check.name, check.run);
});
