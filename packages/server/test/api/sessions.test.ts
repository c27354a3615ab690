import { defineTool } from "@toolrack/core";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const tools = [defineTool({ name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} }, handler: () => "seen" })];
const config = { agents: { helper: { instructions: "Help.", model: "scripted", description: "Helps." } } } as const;

describe("runs of agents over HTTP", () => {
  it("answer at once, or when they have ended, and are sessions from then on", async () => {
    await using server = await openTestServer({ config, tools });
    const anna = await server.as("anna");
    const begun = await anna("POST", "/agents/helper/runs", { input: "call look" });
    expect(begun).toMatchObject({ status: 202, body: { status: "running" } });
    const { session } = begun.body;
    await until(async () => (await anna("GET", `/sessions/${session}`)).body.context.status === "idle");
    const { messages } = (await anna("GET", `/sessions/${session}/messages`)).body;
    expect(messages.map(({ context }: any) => context.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(messages[0]).toMatchObject({ schema_name: "agent.message.v1", context: { from: { kind: "agent", id: "key anna" } } });
    const whole = await anna("POST", "/agents/helper/runs", { input: "call look", session: "notes", wait: true });
    expect(whole).toMatchObject({
      status: 200,
      body: { status: "done", text: "look answered: seen", key: "agent:helper:api:direct:key%20anna:notes" },
    });
    expect((await anna("GET", "/sessions?agent=helper")).body.sessions).toHaveLength(2);
    const page = (await anna("GET", `/sessions/${session}/messages?after=1&limit=2`)).body;
    expect(page).toMatchObject({ messages: [{ context: { seq: 2 } }, { context: { seq: 3 } }], next: 3 });
  });

  it("are found by the id that they are listed with, by the id in their context, and by nobody else", async () => {
    await using server = await openTestServer({ config, tools });
    const anna = await server.as("anna");
    const bob = await server.as("bob");
    await anna("POST", "/agents/helper/runs", { input: "x", wait: true });
    const [listed] = (await anna("GET", "/sessions")).body.sessions;
    for (const id of [listed.id, listed.context.session]) {
      expect(await anna("GET", `/sessions/${id}`)).toMatchObject({ status: 200, body: { id: listed.id } });
      expect((await anna("GET", `/sessions/${id}/messages`)).body.messages).toHaveLength(2);
      expect(await bob("GET", `/sessions/${id}`)).toMatchObject({ status: 404, body: { code: "SESSION_UNKNOWN" } });
    }
    const again = await anna("POST", "/agents/helper/runs", { input: "y", session: listed.id, wait: true });
    expect(again.body.session).toBe(listed.context.session);
  });

  it("are told as events, to the end", async () => {
    await using server = await openTestServer({ config, tools });
    const response = await server.request("POST", "/api/v1/agents/helper/runs", {
      body: { input: "call look" },
      headers: { accept: "text/event-stream" },
    });
    const names: string[] = [];
    let last: any;
    for await (const { event, data } of readEvents(response)) {
      names.push(event);
      last = data;
      if (event === "end") break;
    }
    expect(names).toEqual(expect.arrayContaining(["started", "text", "call", "result", "message", "end"]));
    expect(last).toMatchObject({ status: "done", text: "look answered: seen" });
  });

  it("are followed by their session: its state, with the budget, and its messages as they come", async () => {
    await using server = await openTestServer({
      config: { agents: { helper: { ...config.agents.helper, budget: { turns: 5 } } } },
      tools,
    });
    const { session } = (await server.ask("POST", "/agents/helper/runs", { input: "hello", wait: true })).body;
    const leave = new AbortController();
    const response = await server.request("GET", `/api/v1/sessions/${session}/messages`, {
      headers: { accept: "text/event-stream" },
      signal: leave.signal,
    });
    const told: { readonly event: string; readonly id?: string; readonly data: any }[] = [];
    const messages = (): readonly any[] => told.filter(({ event }) => event === "message").map(({ data }) => data.context);
    const reading = (async () => {
      for await (const event of readEvents(response)) told.push(event as (typeof told)[number]);
    })().catch(() => undefined);
    await until(() => messages().length === 2);
    expect(told[0]).toMatchObject({ event: "session", data: { context: { session, status: "idle", budget: { turns: 5 } } } });
    await server.ask("POST", `/sessions/${session}/messages`, { content: "call look" });
    await until(() => messages().length === 6 && told.at(-1)?.data.context?.status === "idle");
    expect(told.flatMap(({ event, id }) => (event === "message" ? [id] : []))).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(told.at(-1)!.data.context.usage).toMatchObject({ turns: 3, calls: 1 });
    leave.abort();
    await reading;
  });

  it("take messages, whose origin the server writes, and are cancelled", async () => {
    await using server = await openTestServer({ config, tools });
    const anna = await server.as("anna");
    const { session } = (await anna("POST", "/agents/helper/runs", { input: "x", wait: true })).body;
    const claim = await anna("POST", `/sessions/${session}/messages`, { content: "y", from: { kind: "person" } });
    expect(claim.status).toBe(400);
    expect(await anna("POST", `/sessions/${session}/messages`, { content: "call look" })).toMatchObject({ status: 202 });
    const read = async (): Promise<any[]> => (await anna("GET", `/sessions/${session}/messages`)).body.messages;
    await until(async () => (await read()).length >= 6);
    expect((await read())[2]).toMatchObject({ context: { role: "user", content: "call look", from: { kind: "agent", id: "key anna" } } });
    expect(await anna("POST", `/sessions/${session}/cancel`)).toMatchObject({ status: 200 });
  });

  it("are seen by whoever began them and by admins, and for others they do not exist", async () => {
    await using server = await openTestServer({ config, tools });
    const [anna, bob] = [await server.as("anna"), await server.as("bob", "subscriber")];
    const { session, key } = (await anna("POST", "/agents/helper/runs", { input: "x", wait: true })).body;
    expect((await bob("GET", "/sessions")).body.sessions).toEqual([]);
    for (const id of [session, encodeURIComponent(key)]) {
      expect((await bob("GET", `/sessions/${id}`)).status).toBe(404);
      expect((await bob("GET", `/sessions/${id}/messages`)).status).toBe(404);
      expect((await bob("POST", `/sessions/${id}/messages`, { content: "x" })).status).toBe(404);
      expect((await bob("POST", `/sessions/${id}/cancel`)).status).toBe(404);
      expect((await server.ask("GET", `/sessions/${id}`)).body).toMatchObject({
        schema_name: "agent.session.v1",
        context: { session, key },
      });
    }
    const other = await bob("POST", "/agents/helper/runs", { input: "x", session: key });
    expect([other.status, other.body.session === session]).toEqual([202, false]);
  });

  it("are refused for an agent that does not run here, or that the caller may not call", async () => {
    await using server = await openTestServer({
      config: { ...config, policy: { agents: { bob: { tools: { deny: ["helper"] } } } } },
      tools,
    });
    const bob = await server.as("bob");
    expect(await bob("POST", "/agents/helper/runs", { input: "x" })).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    expect(await server.ask("POST", "/agents/nobody/runs", { input: "x" })).toMatchObject({ status: 404 });
  });
});

describe("an agent that runs here", () => {
  it("keeps its name, its instructions and its model when its description is changed", async () => {
    const helper = { ...config.agents.helper, name: "Helga", ownRights: true };
    await using server = await openTestServer({ config: { agents: { helper } } });
    expect(await server.ask("PUT", "/agents/helper", { description: "Helps more." })).toMatchObject({
      status: 200,
      body: { isRunHere: true },
    });
    expect(server.rack.settings.get("agents.helper")?.value).toEqual({ ...helper, description: "Helps more." });
  });
});

describe("sessions of several callers", () => {
  it("AH12: have names that are each caller's own, and nobody can tell which names others use", async () => {
    await using server = await openTestServer({ config, tools });
    const [anna, bob] = [await server.as("anna"), await server.as("bob")];
    const begun = (await anna("POST", "/agents/helper/runs", { input: "mine", session: "notes", wait: true })).body;
    for (const session of ["notes", begun.key, begun.session, "agent:helper:notes"]) {
      const other = await bob("POST", "/agents/helper/runs", { input: "x", session, wait: true });
      expect(other).toMatchObject({ status: 200, body: { status: "done" } });
      expect([other.body.session, other.body.key]).not.toEqual([begun.session, begun.key]);
      const free = await bob("POST", "/agents/helper/runs", { input: "x", session: `${session}-free`, wait: true });
      expect(`${other.body.key}-free`).toBe(free.body.key);
    }
    expect((await bob("GET", "/sessions/agent:helper:notes")).body.context.key).toContain("key%20bob");
    expect((await anna("GET", "/sessions/agent:helper:notes")).body.context).toMatchObject({ session: begun.session, messages: 2 });
    const again = await anna("POST", "/agents/helper/runs", { input: "again", session: "notes", wait: true });
    expect(again.body.session).toBe(begun.session);
  });

  it("have the kind of a conversation, whatever a caller calls them", async () => {
    await using server = await openTestServer({ config, tools });
    const anna = await server.as("anna");
    for (const session of ["subagent:x", "cron:nightly", "hook:x"]) {
      const { session: id } = (await anna("POST", "/agents/helper/runs", { input: "x", session, wait: true })).body;
      expect((await anna("GET", `/sessions/${id}`)).body.context.kind).toBe("other");
    }
  });
});

describe("a session that is resumed", () => {
  const short = { agents: { helper: { ...config.agents.helper, budget: { turns: 2 } } } } as const;

  it("goes on without a word of anybody: where a run was stopped, the system says that it may", async () => {
    await using server = await openTestServer({ config: short, tools });
    const anna = await server.as("anna");
    const begun = await anna("POST", "/agents/helper/runs", { input: "call look\ncall look\ncall look", session: "s", wait: true });
    expect(begun.body).toMatchObject({ status: "stopped", code: "budget" });
    const { session } = begun.body;
    const before = (await anna("GET", `/sessions/${session}/messages`)).body.messages.length;
    expect(await anna("POST", `/sessions/${session}/resume`)).toMatchObject({ status: 202, body: { context: { session } } });
    await until(async () => (await anna("GET", `/sessions/${session}`)).body.context.status === "idle");
    const { messages } = (await anna("GET", `/sessions/${session}/messages?after=${before}`)).body;
    const said = messages.filter(({ context }: any) => context.role === "user").map(({ context }: any) => context.from.kind);
    expect(said).toEqual(["system"]);
    expect(messages.at(-1).context.role).toBe("assistant");
  });

  it("is refused with the reason where there is nothing to go on with, and is nobody else's", async () => {
    await using server = await openTestServer({ config, tools });
    const [anna, bob] = [await server.as("anna"), await server.as("bob")];
    const { session } = (await anna("POST", "/agents/helper/runs", { input: "x", wait: true })).body;
    const refused = await anna("POST", `/sessions/${session}/resume`);
    expect(refused).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
    expect(refused.body.detail).toContain("its last run has answered. Say something to it");
    expect((await bob("POST", `/sessions/${session}/resume`)).status).toBe(404);
  });
});
