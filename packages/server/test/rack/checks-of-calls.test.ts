import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const measure = defineTool({
  name: "measure",
  description: "Returns something else than its schema says.",
  inputSchema: { type: "object", properties: { limit: { type: "integer" } }, additionalProperties: false },
  outputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] } as object,
  handler: () => ({ celsius: "warm" }),
});

describe("tools.outputValidation", () => {
  // row: D12
  it("is off, warn or strict: an output that does not fit passes, is recorded, or is an error", async () => {
    const answerWith = async (tools: object) => {
      await using server = await openTestServer({ config: { tools }, tools: [measure] });
      return await server.ask("POST", "/tools/measure/call", { input: {} });
    };
    const off = await answerWith({ outputValidation: "off" });
    expect(off).toMatchObject({ status: 200, body: { data: { celsius: "warm" } } });
    expect(off.body.meta.warnings).toBeUndefined();
    const warned = { status: 200, body: { meta: { warnings: [expect.stringContaining("celsius")] } } };
    expect(await answerWith({ outputValidation: "warn" })).toMatchObject(warned);
    expect(await answerWith({})).toMatchObject(warned);
    expect(await answerWith({ outputValidation: "strict" })).toMatchObject({ status: 502, body: { code: "OUTPUT_INVALID" } });
    await expect(answerWith({ outputValidation: "loose" })).rejects.toThrow(/tools\.outputValidation/);
  });
});

describe("tools.repairInputs", () => {
  // row: D13
  it("reads a near miss as it was meant, and lists that in the result; without it the call is refused", async () => {
    const answerWith = async (tools: object) => {
      await using server = await openTestServer({ config: { tools: { outputValidation: "off", ...tools } }, tools: [measure] });
      return await server.ask("POST", "/tools/measure/call", { input: { limit: "5" } });
    };
    expect(await answerWith({ repairInputs: true })).toMatchObject({
      status: 200,
      body: { meta: { repairs: ['limit: "5" was read as 5.'] } },
    });
    for (const tools of [{}, { repairInputs: false }])
      expect(await answerWith(tools)).toMatchObject({ status: 400, body: { code: "INPUT_INVALID" } });
  });
});

it("how calls are checked stays as it is until a restart", async () => {
  const folder = temporaryFolder();
  const write = (tools: object): void =>
    writeFileSync(join(folder, "toolrack.config.yaml"), JSON.stringify({ store: { memory: true }, tools }));
  write({ outputValidation: "strict", repairInputs: true });
  const rack = await openTestRack({ folder, config: "toolrack.config.yaml", tools: [measure] });
  write({ outputValidation: "off" });
  await rack.settings.reload();
  expect(rack.configChanges.pending()).toBeUndefined();
  const result = await rack.call("measure", { limit: "5" }, { caller: { owner: true } }).result;
  expect(result).toMatchObject({ ok: false, code: "OUTPUT_INVALID", meta: { repairs: [expect.any(String)] } });
});
