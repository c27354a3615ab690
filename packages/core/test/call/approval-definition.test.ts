import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeApprover } from "../../src/testing/fake-approver.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const send = (description: string): ToolDefinition =>
  defineTool({ name: "send", description, inputSchema: { type: "object" }, handler: () => "sent" });
const policy = { tools: { ask: ["send"] } };
const always = { action: "accept", value: { scope: "always" } } as const;

describe("a yes that is remembered", () => {
  it("SD7: ends with the definition, and with what stands behind its source", async () => {
    const approver = createFakeApprover(always);
    const registry = createRegistry({ policy: readPolicyConfig(policy), approver });
    const call = (): Promise<unknown> => registry.invoke("send", {}, { caller: { agent: "a", principal: "key a" } });
    await registry.addSource({ id: "mail", identity: "one", list: () => [send("Sends.")] });
    await call();
    await call();
    expect(approver.requests).toHaveLength(1);
    await registry.removeSource("mail");
    await registry.addSource({ id: "mail", identity: "two", list: () => [send("Sends.")] });
    await call();
    expect(approver.requests).toHaveLength(2);
    await registry.removeSource("mail");
    await registry.addSource({ id: "mail", identity: "two", list: () => [send("Sends it to everybody.")] });
    await call();
    await call();
    expect(approver.requests).toHaveLength(3);
    await registry.close();
  });

  it("SD6: holds for one principal, and not for another that acts as the same agent", async () => {
    const approver = createFakeApprover(always);
    const registry = createRegistry({ policy: readPolicyConfig(policy), approver });
    registry.register(send("Sends."));
    await registry.invoke("send", {}, { caller: { agent: "a", principal: "key a" } });
    await registry.invoke("send", {}, { caller: { agent: "a", principal: "key a" } });
    await registry.invoke("send", {}, { caller: { agent: "a", principal: "key boss" } });
    expect(approver.requests.map(({ caller }) => caller.principal)).toEqual(["key a", "key boss"]);
  });

  it("SD7: an answer that a call brings along is about the definition that was asked about", async () => {
    const registry = createRegistry({ policy: readPolicyConfig(policy) });
    registry.register(send("Sends."));
    const first = await registry.invoke("send", {});
    if (first.ok || first.approval === undefined) throw new Error("it was not asked about");
    registry.register(send("Sends it to everybody."), { onConflict: "replace" });
    const approval = { digest: first.approval.digest, answer: { action: "accept" } } as const;
    expect(await registry.invoke("send", {}, { approval })).toMatchObject({ ok: false, code: "APPROVAL_REQUIRED" });
  });
});

describe("an answer kept under an idempotency key", () => {
  it("SD16: is not given again once the policy hides the tool", async () => {
    const registry = createRegistry();
    registry.register(send("Sends."));
    const call = () => registry.invoke("send", {}, { caller: { agent: "a" }, idempotencyKey: "k" });
    expect(await call()).toMatchObject({ ok: true });
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["send"] } }));
    expect(await call()).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });
});
