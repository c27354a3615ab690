import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";

const caller = { agent: "local", owner: true } as const;
const ask = {
  action: "generate",
  prompt: "Which tea?",
  schema: { type: "object", properties: { tea: { type: "string" } }, required: ["tea"] },
};

describe("the model of logit on a server", () => {
  it("is that of an agent, which answers in the shape that was asked for", async () => {
    await using vendor = await startLoopback((_, response) => {
      const delta = { choices: [{ index: 0, delta: { content: '{"tea":"Assam"}' }, finish_reason: null }] };
      const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(delta)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
    });
    const model = { vendor: "openai-chat", name: "tea-7b", baseUrl: `${vendor.url}/v1` } as const;
    const rack = await openTestRack({
      config: {
        store: { memory: true },
        agents: { writer: { instructions: "Write.", model } },
        tools: { packs: { utility: { logit: { agent: "writer" } } } },
      },
    });
    expect(await rack.call("logit", ask, { caller }).result).toMatchObject({
      ok: true,
      data: { value: { tea: "Assam" }, model: "writer" },
    });
    expect(vendor.seen[0]!.body).toContain("Which tea?");
  });

  it("is a service, and an agent that is not there is named", async () => {
    await using service = await startLoopback((_, response) =>
      sendJson(response, { choices: [{ message: { content: '{"tea":"Sencha"}' } }] }),
    );
    const open = (logit: object) => openTestRack({ config: { store: { memory: true }, tools: { packs: { utility: { logit } } } } });
    const served = await open({ baseUrl: `${service.url}/v1`, model: "tea-7b" });
    expect(await served.call("logit", ask, { caller }).result).toMatchObject({ data: { value: { tea: "Sencha" } } });
    const lost = await open({ agent: "nobody" });
    expect(await lost.call("logit", ask, { caller }).result).toMatchObject({
      ok: false,
      error: expect.stringContaining('No agent "nobody" runs here'),
    });
  });
});
