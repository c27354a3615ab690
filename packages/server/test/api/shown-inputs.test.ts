import { defineTool } from "@toolrack/core";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serverActor } from "../../src/rack/store/open-store.ts";

const password = "correct-horse-77";
const pin = "4711-pin";
const stored = "value-of-a-secret";
const input = { user: "anna", password, nested: { access_token: password, pin }, text: `with ${stored}` };
const planted = [password, pin, stored];

/** A tool that takes secrets, and what it was called with. */
function login() {
  const calls: unknown[] = [];
  const tool = defineTool({
    name: "login",
    description: "Signs in.",
    inputSchema: { type: "object", properties: { user: { type: "string" } }, additionalProperties: true },
    handler: (given) => void calls.push(given),
  });
  return { calls, tool };
}

const config = { redaction: { fields: ["pin"] } };

async function open(more: object = {}): Promise<TestServer & { readonly calls: unknown[] }> {
  const { calls, tool } = login();
  const server = await openTestServer({ tools: [tool], config: { ...config, ...more } });
  await server.rack.secrets.set("mail", stored, { by: "test" });
  return Object.assign(server, { calls });
}

/** No part of an answer has a planted value, and it is about the call that was made. */
function expectShown(answer: unknown): void {
  const text = JSON.stringify(answer);
  for (const value of planted) expect(text).not.toContain(value);
  expect(text).toContain('"user":"anna"');
}

describe("TD5: the input of a call is shown without secrets", () => {
  it("as a job, to its maker and to others, and the tool gets all of it", async () => {
    await using server = await open();
    const maker = await server.as("maker");
    const reader = await server.as("reader", "subscriber");
    const made = await maker("POST", "/tools/login/call", { input, mode: "job" });
    const { id } = made.body.data.job;
    await maker("GET", `/jobs/${id}/wait`);
    expect(server.calls).toEqual([input]);
    for (const ask of [maker, reader]) {
      expectShown((await ask("GET", `/jobs/${id}`)).body);
      expectShown((await ask("GET", `/jobs/${id}/wait`)).body);
      expectShown((await ask("GET", "/calls")).body);
    }
  });

  it("as a schedule, while it waits for a person, when it is listed and when it is changed, and the tool gets all of it", async () => {
    await using server = await open();
    const bot = await server.as("bot");
    const reader = await server.as("reader", "subscriber");
    expectShown((await bot("POST", "/schedules", { id: "daily", tool: "login", input, everyMs: 60_000 })).body);
    const { schedules } = (await server.ask("GET", "/approvals")).body;
    expectShown(schedules);
    expectShown((await server.ask("POST", `/approvals/${schedules[0].id}/decide`, { approved: true, digest: schedules[0].digest })).body);
    for (const ask of [bot, reader]) {
      expectShown((await ask("GET", "/schedules")).body);
      expectShown((await ask("GET", "/schedules/daily")).body);
    }
    expectShown((await server.ask("GET", "/audit?limit=100")).body);
    const { job } = (await server.ask("POST", "/schedules/daily/run")).body;
    await server.ask("GET", `/jobs/${job}/wait`);
    expect(server.calls).toEqual([input]);
  });

  it("as a schedule that an agent reads and changes with a tool, which keeps what it cannot see", async () => {
    await using server = await open({ tools: { packs: { automation: true, utility: false, sessions: false } } });
    const cron = async (arguments_: object): Promise<any> =>
      (await server.ask("POST", "/tools/cron/call", { input: arguments_ })).body.data;
    const added = await cron({ action: "add", jobId: "daily", tool: "login", input, everyMs: 60_000 });
    expect(JSON.stringify(added)).toContain("daily");
    expectShown(added);
    expectShown(await cron({ action: "list" }));
    expectShown(await cron({ action: "update", jobId: "daily", everyMs: 120_000 }));
    const { schedules } = (await server.ask("GET", "/approvals")).body;
    await server.ask("POST", `/approvals/${schedules[0].id}/decide`, { approved: true, digest: schedules[0].digest });
    const { job } = (await server.ask("POST", "/schedules/daily/run")).body;
    await server.ask("GET", `/jobs/${job}/wait`);
    expect(server.calls).toEqual([input]);
    expect((await server.ask("GET", "/schedules/daily")).body.spec.everyMs).toBe(120_000);
  });

  it("and what stands for a hidden value is taken for none", async () => {
    await using server = await open();
    const made = await server.ask("POST", "/schedules", { id: "x", tool: "login", input: { password: "[redacted]" }, everyMs: 60_000 });
    expect(made).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("for a value that is not shown. Write the value.") },
    });
  });

  it("as the mapping of a trigger and of a hook, and of an event that is tried", async () => {
    await using server = await open();
    const mapping = {
      user: { value: "anna" },
      password: { value: password },
      nested: { value: { pin } },
      text: { from: "/record/none", default: `with ${stored}` },
      token: { from: "/record/title" },
    };
    const spec = { tool: "login", input: mapping };
    const answers = [
      (await server.ask("POST", "/triggers", { id: "t", on: { schema_name: "note.v1" }, ...spec })).body,
      (await server.ask("GET", "/triggers")).body,
      (await server.ask("POST", "/triggers/t/test", { event: { record: { title: "A" } } })).body,
      (await server.ask("POST", "/hooks", { name: "h", agent: "a", ...spec })).body,
      (await server.ask("GET", "/hooks")).body,
    ];
    for (const answer of answers) for (const value of planted) expect(JSON.stringify(answer)).not.toContain(value);
    expect(answers[1].triggers[0].spec.input).toEqual({
      user: { value: "anna" },
      password: { value: "[redacted]" },
      nested: { value: { pin: "[redacted]" } },
      text: { from: "/record/none", default: "with [redacted]" },
      token: { from: "/record/title" },
    });
  });

  it("as a question to a person, and the call that is approved gets all of it", async () => {
    await using server = await open({ policy: { tools: { ask: ["login"] } } });
    const boss = await server.as("boss", "curator");
    const bot = await server.as("bot");
    const called = bot("POST", "/tools/login/call", { input });
    await until(async () => (await boss("GET", "/approvals")).body.waiting.length === 1);
    const { waiting } = (await boss("GET", "/approvals")).body;
    expectShown(waiting);
    expectShown((await boss("GET", `/approvals/${waiting[0].id}`)).body);
    const inner = server.rack.store.as(serverActor);
    expect(JSON.stringify(await inner.searchBreadcrumbs({ includeContext: true }))).not.toContain(password);
    await boss("POST", `/approvals/${waiting[0].id}/decide`, { approved: true, digest: waiting[0].digest });
    expect((await called).status).toBe(200);
    expect(server.calls).toEqual([input]);
  });

  it("as what an agent said and called", async () => {
    await using server = await open({ agents: { helper: { instructions: "Help.", model: "scripted" } } });
    const { session } = (await server.ask("POST", "/agents/helper/runs", { input: `call login ${JSON.stringify(input)}`, wait: true }))
      .body;
    expect(server.calls).toEqual([input]);
    const { messages } = (await server.ask("GET", `/sessions/${session}/messages`)).body;
    const calls = messages.flatMap(({ context }: any) => context.calls ?? []);
    expect(calls).toHaveLength(1);
    expectShown(calls);
  });
});
