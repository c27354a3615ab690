import { defineTool, type UserChannel } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { clientMeta, connect, nothing, post, serving } from "./serve.ts";

const outputSchema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] } as const;
const bill = (deliver: "user" | "both") =>
  defineTool({
    name: "bill",
    description: "Makes a bill.",
    inputSchema: nothing,
    outputSchema,
    handler: () => ({ total: 42 }),
    metadata: { deliver },
  });
const whole = '{"total":42}';
const capabilities = "io.modelcontextprotocol/clientCapabilities";
const honouring = { ...clientMeta, [capabilities]: { extensions: { "toolrack/audience": {} } } };

async function open(deliver: "user" | "both") {
  const shown: unknown[] = [];
  const userChannel: UserChannel = { show: ({ result }) => void shown.push(result.data) };
  return { ...(await serving([bill(deliver)], { registry: { userChannel } })), shown };
}

describe("a result for the user, over MCP", () => {
  it.each(["modern", "legacy"] as const)("is a receipt for a client that says nothing of audiences (%s)", async (era) => {
    const { url, shown } = await open("user");
    const client = await connect(url, era);
    expect((await client.listTools()).tools[0]!.outputSchema).toBeUndefined();
    const result = await client.callTool({ name: "bill", arguments: {} });
    expect(result).toMatchObject({ content: [{ type: "text", text: "Shown to the user." }] });
    expect(JSON.stringify(result)).not.toContain("42");
    expect(shown).toEqual([{ total: 42 }]);
  });

  it("is marked for a client that divides it itself, and goes to no other channel", async () => {
    const { url, shown } = await open("user");
    const { result } = (await post(url, "tools/call", { name: "bill", arguments: {} }, { meta: honouring })).body;
    expect(result.content).toEqual([
      { type: "text", text: "Shown to the user.", annotations: { audience: ["assistant"] } },
      { type: "text", text: whole, annotations: { audience: ["user"] } },
    ]);
    expect(result.structuredContent).toBeUndefined();
    expect(shown).toEqual([]);
  });

  it("is marked for a legacy client that says so as experimental", async () => {
    const { url } = await open("user");
    const client = await connect(url, "legacy", { options: { capabilities: { experimental: { "toolrack/audience": {} } } } });
    const { content } = await client.callTool({ name: "bill", arguments: {} });
    expect(content.map((part) => part.annotations?.audience)).toEqual([["assistant"], ["user"]]);
  });

  it("is for both where the tool says so", async () => {
    const { url, shown } = await open("both");
    const marked = (await post(url, "tools/call", { name: "bill", arguments: {} }, { meta: honouring })).body.result;
    expect(marked).toMatchObject({
      content: [{ type: "text", text: whole, annotations: { audience: ["user", "assistant"] } }],
      structuredContent: { total: 42 },
    });
    expect(shown).toEqual([]);
    const plain = (await post(url, "tools/call", { name: "bill", arguments: {} })).body.result;
    expect(plain).toMatchObject({ content: [{ type: "text", text: whole }], structuredContent: { total: 42 } });
    expect(shown).toEqual([{ total: 42 }]);
  });
});
