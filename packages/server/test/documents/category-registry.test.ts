import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };

async function listed(toolFields?: readonly ("category" | "optionality")[]): Promise<readonly Record<string, unknown>[]> {
  await using server = await openTestServer({
    config: { tools: { packs: { utility: true } }, ...(toolFields && { server: { mcp: { toolFields } } }) },
  });
  const response = await server.request("POST", "/mcp", { headers, body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} } });
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.tools;
}

describe("tools/list as the category registry prints it", () => {
  // row: I1
  it("has category and optionality at the top of each tool, where the server is told so", async () => {
    const tools = await listed(["category", "optionality"]);
    expect(tools.find(({ name }) => name === "random")).toMatchObject({
      category: "general",
      optionality: "optional",
      inputSchema: { type: "object" },
      _meta: { "toolrack/category": "general" },
    });
    expect(tools.find(({ name }) => name === "echo")).toMatchObject({ name: "echo" });
  });

  it("has only the fields that are asked for, and by default only those of the protocol", async () => {
    const one = (await listed(["category"])).find(({ name }) => name === "random");
    expect(one).toHaveProperty("category", "general");
    expect(one).not.toHaveProperty("optionality");
    expect((await listed()).find(({ name }) => name === "random")).not.toHaveProperty("category");
  });
});
