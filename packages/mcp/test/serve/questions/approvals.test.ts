import { createMcpApprover, mcpClient } from "@toolrack/mcp";
import { defineTool } from "@toolrack/core";
import { type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import { describe, expect, it, vi } from "vitest";
import { connect, nothing, post, serving } from "../serve.ts";

const refund = defineTool({
  name: "refund",
  description: "Pays money back.",
  inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  handler: ({ amount }) => `${amount} paid back.`,
});
const policy: PolicyConfig = { tools: { ask: ["refund"] } };
const accept = { action: "accept", content: {} };

describe.each(["modern", "legacy"] as const)("a policy that asks, in the %s era", (era) => {
  it("asks the person in front of the client, and goes on with a yes", async () => {
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy) } });
    const asked: string[] = [];
    const client = await connect(url, era, { onElicit: ({ message }) => (asked.push(message), accept) });
    expect((await client.callTool({ name: "refund", arguments: { amount: 20 } })).content).toEqual([
      { type: "text", text: "20 paid back." },
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/refund \{"amount":20\}$/);
  });

  it("asks again for the next call, because a yes is good for one", async () => {
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy) } });
    const onElicit = vi.fn(() => accept);
    const client = await connect(url, era, { onElicit });
    for (const _ of [1, 2]) await client.callTool({ name: "refund", arguments: { amount: 20 } });
    expect(onElicit).toHaveBeenCalledTimes(2);
  });

  it("refuses with 403 when the person says no", async () => {
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy) } });
    const client = await connect(url, era, { onElicit: () => ({ action: "decline" }) });
    const result = await client.callTool({ name: "refund", arguments: { amount: 20 } });
    expect(result).toMatchObject({ isError: true, _meta: { "toolrack/code": "APPROVAL_DENIED", "toolrack/status": 403 } });
  });

  it("S32: refuses where the client cannot ask", async () => {
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy) } });
    const client = await connect(url, era);
    const result = await client.callTool({ name: "refund", arguments: { amount: 20 } });
    expect(result).toMatchObject({ isError: true, _meta: { "toolrack/code": "APPROVAL_REQUIRED" } });
  });

  it("lets another approver answer where the client cannot ask, and only there", async () => {
    const otherwise = { ask: vi.fn(async () => ({ action: "accept" }) as const) };
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy), approver: createMcpApprover({ otherwise }) } });
    const plain = await connect(url, era);
    expect((await plain.callTool({ name: "refund", arguments: { amount: 1 } })).content).toEqual([{ type: "text", text: "1 paid back." }]);
    expect(otherwise.ask).toHaveBeenCalledTimes(1);
    const asking = await connect(url, era, { onElicit: () => accept });
    expect((await asking.callTool({ name: "refund", arguments: { amount: 2 } })).content).toEqual([{ type: "text", text: "2 paid back." }]);
    expect(otherwise.ask).toHaveBeenCalledTimes(1);
  });

  it("brings back the values that a tool asks for, checked against its schema", async () => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const greet = defineTool({
      name: "greet",
      description: "Greets.",
      inputSchema: nothing,
      async handler(_input, { ask }) {
        const answer = await ask({ message: "Your name?", schema });
        return answer.action === "accept" ? `Hello, ${(answer.value as { name: string }).name}!` : "Hello!";
      },
    });
    const { url } = await serving([greet], { registry: { approver: createMcpApprover() } });
    const client = await connect(url, era, { onElicit: () => ({ action: "accept", content: { name: "Ada" } }) });
    expect((await client.callTool({ name: "greet", arguments: {} })).content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
  });
});

describe("a yes for the session", () => {
  it("lets the second call of the same session pass", async () => {
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy) } });
    const onElicit = vi.fn(() => ({ action: "accept", content: { scope: "session" } }));
    const client = await connect(url, "legacy", { onElicit });
    for (const _ of [1, 2]) expect((await client.callTool({ name: "refund", arguments: { amount: 5 } })).isError).toBeUndefined();
    expect(onElicit).toHaveBeenCalledTimes(1);
    const other = await connect(url, "legacy", { onElicit });
    await other.callTool({ name: "refund", arguments: { amount: 5 } });
    expect(onElicit).toHaveBeenCalledTimes(2);
  });
});

describe("request states", () => {
  it("are taken by another server that has the same key", async () => {
    const options = { registry: { policy: readPolicyConfig(policy) }, requestStateKey: "k".repeat(32) };
    const [first, second] = await Promise.all([serving([refund], options), serving([refund], options)]);
    const call = { name: "refund", arguments: { amount: 20 } };
    const { result } = (await post(first.url, "tools/call", call)).body;
    expect(result.resultType).toBe("input_required");
    const [key] = Object.keys(result.inputRequests);
    const answered = await post(second.url, "tools/call", {
      ...call,
      inputResponses: { [key!]: accept },
      requestState: result.requestState,
    });
    expect(answered.body.result.content).toEqual([{ type: "text", text: "20 paid back." }]);
  });

  it("need a key of 32 bytes", async () => {
    await expect(serving([refund], { requestStateKey: "short" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe.each(["modern", "legacy"] as const)("a client that opens URLs and shows no forms, in the %s era", (era) => {
  const urlOnly = { options: { capabilities: { elicitation: { url: {} } } } };

  it("SD26: is not sent a form for a yes or no, and is told why the call is refused", async () => {
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy) } });
    const onElicit = vi.fn(() => accept);
    const client = await connect(url, era, { onElicit, ...urlOnly });
    const result = await client.callTool({ name: "refund", arguments: { amount: 20 } });
    expect(result).toMatchObject({ isError: true, _meta: { "toolrack/code": "APPROVAL_REQUIRED" } });
    expect(onElicit).not.toHaveBeenCalled();
  });

  it("SD26: leaves the question to the other approver", async () => {
    const otherwise = { ask: vi.fn(async () => ({ action: "accept" }) as const) };
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy), approver: createMcpApprover({ otherwise }) } });
    const onElicit = vi.fn(() => accept);
    const client = await connect(url, era, { onElicit, ...urlOnly });
    const result = await client.callTool({ name: "refund", arguments: { amount: 1 } });
    expect(result.content).toEqual([{ type: "text", text: "1 paid back." }]);
    expect(otherwise.ask).toHaveBeenCalledTimes(1);
    expect(onElicit).not.toHaveBeenCalled();
  });

  it("SD26: a tool that asks for values hears that nobody can be asked", async () => {
    const ask = defineTool({
      name: "ask",
      description: "Asks.",
      inputSchema: nothing,
      handler: async (_input, context) => {
        const answer = await mcpClient(context)!.elicit({ message: "Your name?", requestedSchema: { type: "object", properties: {} } });
        return answer.action;
      },
    });
    const { url } = await serving([ask]);
    const onElicit = vi.fn(() => accept);
    const client = await connect(url, era, { onElicit, ...urlOnly });
    const result = await client.callTool({ name: "ask", arguments: {} });
    expect(result).toMatchObject({ isError: true, _meta: { "toolrack/code": "ANSWER_UNAVAILABLE" } });
    expect(JSON.stringify(result.content)).toContain("elicitation.form");
    expect(onElicit).not.toHaveBeenCalled();
  });

  it.each([
    ["nothing about modes", {}],
    ["forms", { form: {} }],
    ["both", { form: {}, url: {} }],
  ])("SD26: one that declares %s is sent forms", async (_name, elicitation) => {
    const { url } = await serving([refund], { registry: { policy: readPolicyConfig(policy) } });
    const onElicit = vi.fn(() => accept);
    const client = await connect(url, era, { onElicit, options: { capabilities: { elicitation } } });
    expect((await client.callTool({ name: "refund", arguments: { amount: 3 } })).content).toEqual([{ type: "text", text: "3 paid back." }]);
    expect(onElicit).toHaveBeenCalledTimes(1);
  });
});
