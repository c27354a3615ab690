import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const send = defineTool({
  name: "send",
  description: "Sends a message.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: ({ text }) => `sent ${text}`,
});
const config = { store: { memory: true }, policy: { tools: { ask: ["send"] } }, approvals: { waitMs: 20_000 } } as const;

async function waitingIn(ask: TestServer["ask"]): Promise<{ id: string; digest: string; tool: string; input: unknown }> {
  await until(async () => (await ask("GET", "/approvals")).body.waiting.length > 0);
  return (await ask("GET", "/approvals")).body.waiting[0];
}

describe("a stored tool that nobody approved", () => {
  it("is in the list of what waits, until it is approved", async () => {
    const { as } = serverOver(await openTestRack({ config: { store: { memory: true } } }));
    const admin = await as("boss", "admin", "curator");
    const definition = {
      schema_name: "tool.definition.v1",
      title: "Weather",
      context: {
        name: "weather",
        description: "Tells the weather of a city.",
        inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        implementation: { kind: "http", endpoint: "https://weather.example.com/now", method: "POST" },
      },
    };
    const written = await admin("POST", "/breadcrumbs", { id: "tool-def-weather", ...definition });
    expect(written.status).toBeLessThan(300);
    expect((await admin("GET", "/approvals")).body.drafts).toMatchObject([
      { id: "tool-def-weather", tool: "weather", version: written.body.version, by: "boss" },
    ]);
    const another = { ...definition, context: { ...definition.context, name: "storms" } };
    expect((await admin("POST", "/breadcrumbs", { id: "tool-def-storms", ...another })).status).toBeLessThan(300);
    const page = (await admin("GET", "/approvals?limit=1")).body;
    expect([page.drafts.length, page.draftsTotal, page.schedulesTotal]).toEqual([1, 2, 0]);
    expect((await admin("DELETE", "/breadcrumbs/tool-def-storms")).status).toBeLessThan(300);
    expect((await admin("POST", "/lifecycle/tool-def-weather/validate", {})).status).toBe(200);
    const [{ hash }] = (await admin("GET", "/lifecycle")).body.definitions;
    const other = await as("carol", "curator");
    const approved = await other("POST", "/lifecycle/tool-def-weather/approve", { hash, reason: "reviewed" });
    expect([approved.status, (await admin("GET", "/approvals")).body.drafts]).toEqual([200, []]);
  });
});

describe("the list of what waits", () => {
  it("has up to 1,000 items on a page, as all lists, and about a megabyte", async () => {
    const approvals = { waitMs: 60_000, maxWaiting: 1_000 };
    const rack = await openTestRack({ tools: [send], config: { ...config, approvals } });
    const { ask } = serverOver(rack);
    const text = "x".repeat(3_000);
    for (let count = 0; count < 600; count++) rack.call("send", { text }, { caller: { agent: "helper", principal: "key helper" } });
    await until(async () => (await ask("GET", "/approvals?limit=1")).body.waitingTotal === 600);
    const first = await ask("GET", "/approvals?limit=1000");
    expect(first.status).toBe(200);
    expect(first.body.waiting.length).toBeGreaterThan(200);
    expect(first.body.waiting.length).toBeLessThan(600);
    const rest = await ask("GET", `/approvals?limit=1000&cursor=${first.body.cursor}`);
    expect(first.body.waiting.length + rest.body.waiting.length).toBe(600);
    expect(rest.body.cursor).toBeUndefined();
    expect((await ask("GET", "/approvals?limit=1001")).status).toBe(400);
  });
});

describe("a call that a person has to agree to", () => {
  // row: E16
  it("waits; a yes for the session lets the next one with the same arguments pass, a no answers 403 (E16)", async () => {
    const { as } = serverOver(await openTestRack({ tools: [send], config }));
    const agent = await as("helper");
    const curator = await as("boss", "curator");
    const call = (text: string): ReturnType<typeof agent> => agent("POST", "/tools/send/call", { input: { text }, session: "s1" });
    expect((await agent("GET", "/tools")).body.tools.find(({ name }: { name: string }) => name === "send").asks).toBe(true);

    const first = call("hello");
    const question = await waitingIn(curator);
    expect(question).toMatchObject({ tool: "send", input: { text: "hello" }, caller: { agent: "helper", session: "s1" } });
    const decided = await curator("POST", `/approvals/${question.id}/decide`, {
      approved: true,
      digest: question.digest,
      scope: "session",
    });
    expect(decided.status).toBe(200);
    expect(await first).toMatchObject({ status: 200, body: { content: "sent hello" } });
    expect(await call("hello")).toMatchObject({ status: 200 });

    const other = call("other words");
    const again = await waitingIn(curator);
    expect(again.digest).not.toBe(question.digest);
    await curator("POST", `/approvals/${again.id}/decide`, { approved: false, digest: again.digest, reason: "No." });
    expect(await other).toMatchObject({ status: 403, body: { code: "APPROVAL_DENIED", tool: "send" } });

    const held = (await curator("GET", "/approvals")).body;
    expect(held).toMatchObject({ waiting: [], remembered: [{ tool: "send", scope: "session", by: "boss" }] });
    await curator("DELETE", `/approvals/${held.remembered[0].id}`);
    const taken = call("hello");
    const third = await waitingIn(curator);
    await curator("POST", `/approvals/${third.id}/decide`, { approved: true, digest: third.digest });
    expect(await taken).toMatchObject({ status: 200 });
  });

  it("is decided by exactly the arguments that were looked at, once, and never by the one who calls", async () => {
    const { as } = serverOver(await openTestRack({ tools: [send], config }));
    const agent = await as("helper", "curator");
    const curator = await as("boss", "curator");
    const stranger = await as("stranger");
    const calling = agent("POST", "/tools/send/call", { input: { text: "hello" } });
    const { id, digest } = await waitingIn(curator);
    const decide = (ask: TestServer["ask"], body: object): ReturnType<typeof ask> => ask("POST", `/approvals/${id}/decide`, body);
    expect(await decide(curator, { approved: true, digest: "another" })).toMatchObject({ status: 409 });
    expect(await decide(curator, { approved: true })).toMatchObject({ status: 400 });
    expect(await decide(agent, { approved: true, digest })).toMatchObject({ status: 403 });
    expect(await decide(stranger, { approved: true, digest })).toMatchObject({ status: 403 });
    const both = await Promise.all([decide(curator, { approved: true, digest }), decide(curator, { approved: false, digest })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    await calling;
    expect(await decide(curator, { approved: true, digest })).toMatchObject({ status: 404 });
  });

  it("is refused when nobody answers in time, and gone when its caller leaves", async () => {
    const { as, rack } = serverOver(await openTestRack({ tools: [send], config: { ...config, approvals: { waitMs: 100 } } }));
    const agent = await as("helper");
    expect(await agent("POST", "/tools/send/call", { input: { text: "hello" } })).toMatchObject({
      status: 403,
      body: { code: "APPROVAL_DENIED" },
    });
    expect(await rack.approvals.list()).toEqual([]);
  });

  it("goes from the list when its caller cancels", async () => {
    const { rack } = serverOver(await openTestRack({ tools: [send], config }));
    const call = rack.call("send", { text: "hello" }, { caller: { agent: "helper" } });
    await until(async () => (await rack.approvals.list()).length === 1);
    call.cancel();
    expect(await call.result).toMatchObject({ ok: false, code: "ABORTED" });
    await until(async () => (await rack.approvals.list()).length === 0);
  });

  it("cannot bring its own answer along", async () => {
    const { as } = serverOver(await openTestRack({ tools: [send], config: { ...config, approvals: { waitMs: 100 } } }));
    const agent = await as("helper");
    const answer = { approval: { digest: "x", answer: { action: "accept" } } };
    expect(await agent("POST", "/tools/send/call", { input: { text: "hello" }, ...answer })).toMatchObject({ status: 400 });
  });

  it("may ask for a value, which comes from the person", async () => {
    const ask = defineTool({
      name: "ask_name",
      description: "Asks for a name.",
      inputSchema: { type: "object" },
      async handler(_input, context) {
        const answer = await context.ask({ message: "What is your name?", schema: { type: "string" } });
        return answer.action === "accept" ? `Hello ${String(answer.value)}` : "Nobody is there";
      },
    });
    const { as } = serverOver(await openTestRack({ tools: [ask], config }));
    const agent = await as("helper");
    const curator = await as("boss", "curator");
    const calling = agent("POST", "/tools/ask_name/call", {});
    const question = await waitingIn(curator);
    expect(question).toMatchObject({ message: "What is your name?", schema: { type: "string" } });
    await curator("POST", `/approvals/${question.id}/decide`, { approved: true, digest: question.digest, value: "Ada" });
    expect((await calling).body.content).toBe("Hello Ada");
  });
});
