import { createMemorySecrets, createRegistry, type Registry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUtilityTools, type UtilityOptions } from "../../src/index.ts";

let service: Loopback;
/** What the model says next. */
const replies: string[] = [];

beforeAll(async () => {
  service = await startLoopback((request, response) => {
    if (request.headers.authorization !== "Bearer key-of-the-model") return sendJson(response, { error: { message: "No key" } }, 401);
    if (request.path === "/tokenize") {
      const { content } = JSON.parse(request.body) as { content: string };
      return sendJson(response, { tokens: content.split(" ").map((word) => word.length) });
    }
    sendJson(response, { choices: [{ message: { role: "assistant", content: replies.shift() ?? "" } }] });
  });
});
afterAll(() => service[Symbol.asyncDispose]());

function registryWith(logit: UtilityOptions["logit"], key = "key-of-the-model"): Registry {
  const registry = createRegistry({
    capabilities: createCapabilities({ overrides: { network: true } }),
    secrets: createMemorySecrets({ "model-key": key }),
    outputValidation: "strict",
  });
  for (const tool of createUtilityTools(logit === undefined ? {} : { logit })) registry.register(tool);
  return registry;
}
const served = () => ({ baseUrl: `${service.url}/v1`, model: "tea-7b", secret: "model-key" });
const schema = { type: "object", properties: { tea: { type: "string" } }, required: ["tea"], additionalProperties: false };
const ask = { action: "generate", prompt: "Which tea?", schema };

describe("logit with a model", () => {
  it("generates a value of the schema, and holds the model to it", async () => {
    replies.push('```json\n{"tea":"Assam"}\n```');
    expect(await registryWith(served()).invoke("logit", ask)).toMatchObject({
      ok: true,
      data: { value: { tea: "Assam" }, model: "tea-7b", attempts: 1 },
    });
    expect(JSON.parse(service.seen.at(-1)!.body)).toMatchObject({ response_format: { json_schema: { schema } } });
  });

  it("tells the model once what was wrong, and refuses a second wrong answer", async () => {
    replies.push("Assam", '{"tea":"Assam"}');
    expect(await registryWith(served()).invoke("logit", ask)).toMatchObject({ data: { attempts: 2 } });
    expect(service.seen.at(-1)!.body).toContain("It is not JSON.");
    replies.push('{"tea":1}', '{"milk":true}');
    expect(await registryWith(served()).invoke("logit", ask)).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      error: expect.stringContaining("no answer of this shape"),
    });
  });

  it("tells the tokens of texts", async () => {
    expect(await registryWith(served()).invoke("logit", { action: "vocabulary", texts: ["green tea", "milk"] })).toMatchObject({
      data: {
        vocabulary: [
          { text: "green tea", tokens: [5, 3] },
          { text: "milk", tokens: [4] },
        ],
      },
    });
    const own = { name: "own", complete: async () => "{}" };
    expect(await registryWith(own).invoke("logit", { action: "vocabulary", texts: ["x"] })).toMatchObject({
      ok: false,
      error: expect.stringContaining("does not tell its tokens"),
    });
  });

  it("names the secret where the key is wrong, and shows it nowhere", async () => {
    const result = await registryWith(served(), "wrong-key").invoke("logit", ask);
    expect(result).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    expect(JSON.stringify(result)).not.toContain("wrong-key");
  });

  it("does not offer these actions without one", async () => {
    expect(await registryWith(undefined).invoke("logit", ask)).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    const { annotations } = registryWith(undefined).get("logit")!.metadata!;
    expect(annotations).toMatchObject({ idempotent: true, openWorld: false });
    expect(registryWith(served()).get("logit")!.metadata!.annotations).toMatchObject({ idempotent: false, openWorld: true });
  });
});
