import { createRegistry, defineTool } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as everything from "../../packages/tools/src/index.ts";
import { fuzzTool } from "../fuzz/fuzz.mjs";
import { packs } from "../fuzz/packs.mjs";

const usualRuns = sized(50, 200);

/** Calls one tool as often as asked, in a registry that lets no wrong output pass. */
function fuzz(tool, { runs = usualRuns, registry: options = {}, caller, ...rest }) {
  const registry = createRegistry({ outputValidation: "strict", ...options });
  registry.register(tool);
  const call = (input) => registry.invoke(tool.name, input, { timeoutMs: 20_000, ...(caller && { caller }) });
  return fuzzTool({ tool, runs, call, isValid: (input) => validateValue(tool.inputSchema, input).ok, ...rest });
}

describe.each(packs)("the pack $name", ({ open, runs = usualRuns }) => {
  let pack;
  beforeAll(async () => {
    pack = await open(everything);
  });
  afterAll(() => pack.close?.());

  it(
    "takes whatever is made from its schemas, and never breaks or leaves its place",
    async () => {
      for (const tool of pack.tools) {
        const { texts, hints, registry, caller, between } = pack;
        const report = await fuzz(tool, { runs, texts, hints, registry, caller, between });
        expect(report.faults).toEqual([]);
        expect(report.calls).toBe(runs);
        // Both kinds were tried.
        expect([tool.name, report.valid > runs / 10, report.valid < runs * 0.9]).toEqual([tool.name, true, true]);
      }
    },
    sized(120_000, 1_800_000),
  );
});

describe("the fuzz itself", () => {
  const inputSchema = { type: "object", properties: { count: { type: "integer", minimum: 0, maximum: 9 } }, required: ["count"] };
  const faultsOf = async (handler, more) => {
    const tool = defineTool({ name: "probe", description: "Does what a test wants.", inputSchema, ...more, handler });
    return (await fuzz(tool, { runs: 100 })).faults.map(({ fault }) => fault);
  };

  it("finds nothing in a tool that is right", async () => {
    expect(await faultsOf(({ count }) => `${count}`)).toEqual([]);
  });

  it.each([
    ["a mistake in a handler", ({ count }) => (count > 3 ? undefined.length : "fine"), {}, "a mistake in the tool"],
    [
      "output that breaks its promise",
      () => ({ wrong: 1 }),
      { outputSchema: { type: "object", required: ["right"] } },
      "own output is wrong",
    ],
    ["an error without words", () => Promise.reject(new Error("[object Object]")), {}, "says nothing"],
  ])("finds %s", async (_, handler, more, sentence) => {
    expect((await faultsOf(handler, more)).some((fault) => fault.includes(sentence))).toBe(true);
  });
});
