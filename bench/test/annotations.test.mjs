import { createRegistry } from "@toolrack/core";
import { sized } from "@toolrack/testkit/sized";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as everything from "../../packages/tools/src/index.ts";
import { inputsOf } from "../fuzz/inputs.mjs";
import { packs } from "../fuzz/packs.mjs";

const inputsEach = sized(12, 500);

/** What a host decides by ("may this be called again?", "does a person have to agree?") has to be true, whatever a call is given. */
describe.each(packs)("the annotations of the pack $name are true", ({ open }) => {
  let pack;
  beforeAll(async () => {
    pack = await open(everything);
  });
  afterAll(() => pack.close?.());

  it(
    "what is read-only changes nothing, what is idempotent changes nothing the second time, and what is not open sends no request",
    async () => {
      for (const tool of pack.tools) {
        const { readOnly, idempotent, openWorld } = tool.metadata.annotations;
        expect([tool.name, typeof readOnly, typeof idempotent, typeof openWorld]).toEqual([tool.name, "boolean", "boolean", "boolean"]);
        const registry = createRegistry(pack.registry);
        registry.register(tool);
        const options = { timeoutMs: 20_000, ...(pack.caller && { caller: pack.caller }) };
        for (const input of fc.sample(inputsOf(tool.inputSchema, pack), { numRuns: inputsEach })) {
          const [before, sent] = [pack.world(), pack.requests?.()];
          const { ok } = await registry.invoke(tool.name, input, options);
          const after = pack.world();
          if (readOnly && after !== before) expect.fail(`${tool.name} is read-only, and changed something for ${JSON.stringify(input)}`);
          if (!openWorld) expect([tool.name, pack.requests?.()]).toEqual([tool.name, sent]);
          if (readOnly || !idempotent || !ok) continue;
          await registry.invoke(tool.name, input, options);
          if (pack.world() !== after)
            expect.fail(`${tool.name} is idempotent, and a repeated call changed something for ${JSON.stringify(input)}`);
        }
      }
    },
    sized(120_000, 1_800_000),
  );
});
