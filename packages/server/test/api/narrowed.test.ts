import { type AnyTool, defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const tool = (name: string, category: string, config: object = {}): AnyTool =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    metadata: { category, ...config },
    handler: () => "done",
  });

const names = (body: { tools: { name: string }[] }): string[] => body.tools.map(({ name }) => name).toSorted();

describe("a question that is narrowed", () => {
  it("lists the tools of one category, source and state alone, and so many of them", async () => {
    const needy = tool("needy", "mail", { configSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"] } });
    const { ask } = serverOver(await openTestRack({ tools: [tool("first", "mail"), tool("second", "shop"), needy] }));
    const list = async (query: string): Promise<string[]> => names((await ask("GET", `/tools?${query}`)).body);
    expect(await list("category=shop")).toEqual(["second"]);
    expect(await list("category=mail&all=true")).toEqual(["first", "needy"]);
    expect(await list("category=mail&state=needs-configuration&all=true")).toEqual(["needy"]);
    expect(await list("category=mail&state=ready&all=true")).toEqual(["first"]);
    expect(await list("source=tools&category=shop")).toEqual(["second"]);
    expect(await list("source=nowhere")).toEqual([]);
    expect(await list("category=nowhere")).toEqual([]);
    expect(await list("category=mail&all=true&limit=1")).toHaveLength(1);
  });

  it("lints one tool, and names one that does not exist", async () => {
    const vague = defineTool({
      name: "vague",
      description: "x",
      inputSchema: { type: "object", properties: { a: {} } },
      handler: () => "",
    });
    const { ask } = serverOver(await openTestRack({ tools: [vague, tool("clear", "mail")] }));
    const { body } = await ask("GET", "/lint?tool=vague");
    expect(body.tools).toBe(1);
    expect(new Set(body.findings.map((finding: { tool: string }) => finding.tool))).toEqual(new Set(["vague"]));
    const all = (await ask("GET", "/lint")).body;
    expect(all.tools).toBeGreaterThan(1);
    expect(await ask("GET", "/lint?tool=nothing")).toMatchObject({
      status: 404,
      body: { code: "TOOL_NOT_FOUND", detail: 'There is no tool "nothing". List the tools to see what there is.' },
    });
  });

  it("counts usage in stretches of an hour for a day unless it says otherwise, and refuses more stretches than can be shown", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [tool("first", "mail")] }));
    await ask("POST", "/tools/first/call", { input: {} });
    const day = (await ask("GET", "/usage")).body;
    expect([day.bucketMs, day.to - day.from]).toEqual([3_600_000, 86_400_000]);
    expect(day.tools).toEqual([expect.objectContaining({ tool: "first", calls: 1 })]);
    expect((await ask("GET", "/usage?tool=other")).body.tools).toEqual([]);
    expect(await ask("GET", "/usage?from=0&to=5001000&bucketMs=1000")).toMatchObject({
      status: 400,
      body: { code: "REQUEST_INVALID", detail: expect.stringContaining("more than 5000 stretches of time") },
    });
    expect(await ask("GET", "/usage?from=0&to=5000000&bucketMs=1000")).toMatchObject({ status: 200 });
  });

  it("lists the approval of one call, with long arguments cut and the whole of them at its own address", async () => {
    const { ask, as, rack } = serverOver(
      await openTestRack({ tools: [tool("first", "mail")], config: { policy: { tools: { ask: ["first"] } }, agents: { ada: {} } } }),
    );
    const asAda = await as("ada");
    const long = "x".repeat(5_000);
    const calls = [
      asAda("POST", "/tools/first/call", { input: { text: "short" } }),
      asAda("POST", "/tools/first/call", { input: { text: long } }),
    ];
    await until(async () => (await rack.approvals.list()).length === 2);
    const { waiting, waitingTotal } = (await ask("GET", "/approvals")).body;
    expect([waiting.length, waitingTotal]).toEqual([2, 2]);
    const cut = waiting.find((one: { isCut?: boolean }) => one.isCut);
    const whole = waiting.find((one: { isCut?: boolean }) => !one.isCut);
    expect(whole.input).toEqual({ text: "short" });
    expect(cut.input).toHaveLength(2_001);
    expect(cut.input.endsWith("…")).toBe(true);
    expect((await ask("GET", `/approvals/${cut.id}`)).body.input).toEqual({ text: long });
    const one = (await ask("GET", `/approvals?callId=${whole.callId}`)).body;
    expect([one.waiting.map(({ id }: { id: string }) => id), one.waitingTotal]).toEqual([[whole.id], 1]);
    for (const { id, digest } of waiting) await ask("POST", `/approvals/${id}/decide`, { approved: true, digest });
    for (const call of calls) expect(await call).toMatchObject({ status: 200 });
    expect((await ask("GET", "/approvals")).body.remembered).toEqual([]);
  });

  it("pages approvals, and refuses a cursor that is none", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [] }));
    expect(await ask("GET", "/approvals?cursor=nonsense")).toMatchObject({ status: 400, body: { code: "REQUEST_INVALID" } });
  });

  it("simulates a policy for the callers that it names", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [tool("first", "mail")], config: { agents: { ada: {}, bob: {} } } }));
    const changes = { "policy.agents.ada": { tools: { deny: ["first"] } } };
    const named = (await ask("POST", "/policy/simulate", { changes, callers: [{ agent: "bob" }] })).body;
    expect(named).toEqual({ differences: [], callers: 1 });
    const all = (await ask("POST", "/policy/simulate", { changes })).body;
    expect(all.callers).toBeGreaterThan(1);
    expect(all.differences).toEqual([expect.objectContaining({ caller: expect.objectContaining({ agent: "ada" }) })]);
  });

  it("shows a draft of a policy with who would lose what", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [tool("first", "mail")], config: { agents: { ada: {} } } }));
    const changes = { "policy.agents.ada": { tools: { deny: ["first"] } } };
    const made = await ask("POST", "/policy/drafts", { title: "Less", changes });
    expect(made.status).toBe(201);
    const shown = await ask("GET", `/policy/drafts/${made.body.id}`);
    expect(shown).toMatchObject({ status: 200, body: { id: made.body.id, changes } });
    expect(shown.body.differences).toEqual([expect.objectContaining({ lost: [expect.objectContaining({ name: "first" })] })]);
    expect(await ask("GET", "/policy/drafts/nothing")).toMatchObject({ status: 404 });
  });

  it("counts every key of an agent that has several", async () => {
    const { ask, as } = serverOver(await openTestRack({ tools: [], config: { agents: { ada: {} } } }));
    await as("ada");
    await as("ada");
    const { agents } = (await ask("GET", "/agents")).body;
    expect(agents.find(({ id }: { id: string }) => id === "ada")).toMatchObject({ keys: 2 });
    expect((await ask("GET", "/keys")).body.keys.filter(({ agent }: { agent: string }) => agent === "ada")).toHaveLength(2);
  });

  it("approves no source that has changed, or that starts nothing", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [] }));
    await ask("PUT", "/sources/docs", { url: "http://127.0.0.1:9/mcp", enabled: false });
    const approved = await ask("POST", "/sources/docs/approve", { identity: "sha256:x" });
    expect(approved).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
    expect(await ask("PUT", "/sources/wrong", { type: "nothing", options: {} })).toMatchObject({
      status: 400,
      body: { code: "CONFIG_INVALID" },
    });
  });
});
