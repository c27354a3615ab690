import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeApprover } from "../../src/testing/fake-approver.ts";
import { createFakeSecrets } from "../../src/testing/fake-secrets.ts";
import type { AgentTool } from "../../src/tool/agent-tool.ts";
import { defineTool } from "../../src/tool/tool.ts";

const pay = defineTool({
  name: "pay",
  description: "Pays an amount.",
  inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  metadata: { secrets: ["KEY"] },
  async handler({ amount }, context) {
    const answer = await context.ask({ message: `Pay ${amount}?` });
    return answer.action === "accept" ? `paid with ${await context.secret("KEY")}` : "not paid";
  },
});

describe("createFakeApprover", () => {
  it("accepts unless told otherwise, and remembers what was asked", async () => {
    const approver = createFakeApprover();
    const registry = createRegistry({ approver, secrets: createFakeSecrets({ KEY: "k" }) });
    registry.register(pay);
    expect(await registry.invoke("pay", { amount: 5 })).toMatchObject({ content: "paid with k" });
    expect(approver.requests).toMatchObject([{ message: "Pay 5?", tool: "pay", input: { amount: 5 } }]);
  });

  it("answers as a function of the question", async () => {
    const approver = createFakeApprover(({ message }) => (message.includes("5") ? { action: "decline" } : { action: "accept" }));
    const registry = createRegistry({ approver, secrets: createFakeSecrets({ KEY: "k" }) });
    registry.register(pay);
    expect(await registry.invoke("pay", { amount: 5 })).toMatchObject({ content: "not paid" });
    expect(await registry.invoke("pay", { amount: 6 })).toMatchObject({ content: "paid with k" });
  });
});

describe("createFakeSecrets", () => {
  it("hands out what it holds, and remembers who asked", async () => {
    const secrets = createFakeSecrets({ KEY: "k" });
    const registry = createRegistry({ approver: createFakeApprover(), secrets });
    registry.register(pay);
    await registry.invoke("pay", { amount: 5 }, { callId: "c1", caller: { agent: "till" } });
    expect(secrets.requests).toEqual([{ name: "KEY", tool: "pay", callId: "c1", caller: { agent: "till" } }]);
    expect(secrets.has("OTHER")).toBe(false);
  });
});

describe("the test kit", () => {
  it("is one entry that needs no test runner", async () => {
    const kit = await import("../../src/exports/testing.ts");
    expect(Object.keys(kit)).toEqual(
      expect.arrayContaining(["assertTool", "createFakeClock", "findDrift", "mockTool", "testTool", "wrapperContract"]),
    );
  });

  it("takes tools in every shape that can be registered", async () => {
    const { testTool } = await import("../../src/exports/testing.ts");
    const agentTool: AgentTool = {
      name: "echo",
      description: "Gives the text back.",
      parameters: { type: "object", properties: {} },
      execute: () => "",
    };
    expect((await testTool(agentTool, { runExamples: false })).ok).toBe(true);
  });
});
