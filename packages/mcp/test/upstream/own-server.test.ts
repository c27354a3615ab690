import { createRegistry, defineTool, type Registry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { createMcpApprover, serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { onePixel } from "../serve/serve.ts";
import { sourceOf } from "./upstreams.ts";

/** A registry that is served, and another that uses it as one of its servers. */
async function chained(inner: Registry, outer: Registry): Promise<Registry> {
  const endpoint = serveMcp(inner);
  afterThisTest(() => endpoint.close());
  const { url, port } = await endpoint.listen();
  const status = await outer.addSource(sourceOf({ name: "inner", url, allowHosts: [`127.0.0.1:${port}`] }));
  expect(status).toMatchObject({ state: "ready", problems: [] });
  return outer;
}

const weather = defineTool({
  name: "weather",
  title: "Weather",
  description: "Tells the weather.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  outputSchema: { type: "object", properties: { sky: { type: "string" } }, required: ["sky"] },
  metadata: { annotations: { readOnly: true } },
  handler: () => ({ sky: "clear" }),
});

describe("a registry as a server of another registry", () => {
  it("hands its tools on whole, and both check and govern the calls", async () => {
    const inner = createRegistry({ policy: readPolicyConfig({ tools: { deny: ["secret"] } }) });
    inner.register(weather);
    inner.register(defineTool({ ...weather, name: "secret" }));
    const outer = await chained(inner, createRegistry());
    expect(outer.list().map(({ name }) => name)).toEqual(["inner__weather"]);
    expect(outer.get("inner__weather")).toMatchObject({
      title: "Weather",
      inputSchema: weather.inputSchema,
      outputSchema: weather.outputSchema,
      metadata: { annotations: { readOnly: true } },
    });
    expect(await outer.invoke("inner__weather", { city: "Oslo" })).toMatchObject({ ok: true, data: { sky: "clear" } });
    expect(await outer.invoke("inner__weather", {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  // row: B4
  it("hands on an image with its details", async () => {
    const blocks = [{ type: "image", data: onePixel, mimeType: "image/png" }];
    const inner = createRegistry();
    const draw = { description: "Draws.", inputSchema: { type: "object" } } as const;
    inner.register(defineTool({ ...draw, name: "draw", handler: () => ({ content: blocks, details: { seed: 7 } }) }));
    inner.register(defineTool({ ...draw, name: "say", handler: () => ({ ok: true, content: "three", data: [1, 2, 3] }) }));
    const outer = await chained(inner, createRegistry());
    expect(await outer.invoke("inner__draw", {})).toMatchObject({ ok: true, blocks, data: { seed: 7 } });
    expect(await outer.invoke("inner__say", {})).toMatchObject({ ok: true, content: "three", data: [1, 2, 3] });
  });

  it("is followed when it changes", async () => {
    const inner = createRegistry();
    inner.register(weather);
    const outer = await chained(inner, createRegistry());
    inner.register(defineTool({ ...weather, name: "later" }));
    await until(() => outer.has("inner__later"), "the new tool");
    inner.unregister("weather");
    await until(() => !outer.has("inner__weather"), "the end of the old one");
  });

  it("asks the person at the far end through both", async () => {
    const inner = createRegistry({ approver: createMcpApprover() });
    inner.register(
      defineTool({
        name: "paint",
        description: "Paints.",
        inputSchema: { type: "object", properties: {} },
        async handler(_input, { ask }) {
          const schema = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
          const answer = await ask({ message: "Which colour?", schema });
          return answer.action === "accept" ? `painted ${(answer.value as { colour: string }).colour}` : "not painted";
        },
      }),
    );
    const outer = await chained(
      inner,
      createRegistry({ approver: { ask: async () => ({ action: "accept", value: { colour: "green" } }) } }),
    );
    expect(await outer.invoke("inner__paint", {})).toMatchObject({ ok: true, content: "painted green" });
  });
});
