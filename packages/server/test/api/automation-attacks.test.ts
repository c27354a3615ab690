import { defineTool } from "@toolrack/core";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { signMessage } from "../../src/rack/automation/hooks/signature.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const every = { tool: "echo", input: { text: "a" }, everyMs: 60_000 };

/** The whole answer to a request of somebody without a sign-in. */
async function post(server: TestServer, name: string, body: string, headers: Readonly<Record<string, string>>) {
  const response = await server.request("POST", `/hooks/${name}`, { key: "", from: "203.0.113.9", body, headers });
  const { code, detail } = (await response.json()) as { readonly code?: string; readonly detail?: string };
  return { status: response.status, code, detail: String(detail) };
}

describe("requests to a hook by somebody who does not know its secret", () => {
  it("are answered alike whether there is such a hook or not, whatever their size", async () => {
    await using server = await openTestServer();
    await server.ask("POST", "/hooks", { name: "known", tool: "echo", agent: "a", bodyBytes: 1_000 });
    await server.ask("POST", "/hooks", { name: "keyed", tool: "echo", agent: "a", verify: "key" });
    for (const body of ["{}", JSON.stringify({ text: "x".repeat(2_000) }), JSON.stringify({ text: "x".repeat(300_000) })]) {
      const headers = { ...signMessage("msg_1", Date.now(), body, [secret]), authorization: `Bearer ${secret}` };
      const answers = await Promise.all(["known", "keyed", "none"].map((name) => post(server, name, body, headers)));
      expect(answers.map(({ status, code, detail }) => [status, code, detail.replace(/"\w+"/, "")])).toEqual(
        Array.from({ length: 3 }, () => [401, "SIGN_IN_REFUSED", expect.stringContaining("does not take this request")]),
      );
      expect(new Set(answers.map(({ detail }) => detail.replace(/"\w+"/, ""))).size).toBe(1);
    }
  });

  it("learn nothing of a secret that is not set, or that signs nothing", async () => {
    const hook = { agent: "a", tool: "whoami", secrets: ["hook-signing"] };
    await using server = await openTestServer({ tools: [whoami], config: { hooks: { in: { known: hook } } } });
    await until(async () => (await server.ask("GET", "/hooks")).body.hooks.length === 1);
    const send = () => post(server, "known", "{}", { ...signMessage("msg_1", Date.now(), "{}", [secret]) });
    expect(await send()).toMatchObject({ status: 401, detail: expect.not.stringContaining("hook-signing") });
    await server.rack.secrets.set("hook-signing", "hunter2", { by: "test" });
    expect(await send()).toMatchObject({ status: 401, detail: expect.not.stringMatching(/hunter2|whsec|base64/) });
    await server.rack.secrets.set("hook-signing", secret, { by: "test" });
    expect((await send()).status).toBe(202);
  });
});

describe("a sender that is known", () => {
  it("is told to come later, not that it is wrong, when too many of its jobs wait", async () => {
    await using server = await openTestServer({ config: { jobs: { maxWaitingPerCaller: 1, slots: 1 } }, tools: [slow] });
    const made = await server.ask("POST", "/hooks", { name: "busy", tool: "slow", agent: "a" });
    const send = (id: string) => post(server, "busy", "{}", { ...signMessage(id, Date.now(), "{}", [made.body.secret]) });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await send(`msg_${count}`)).status);
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status !== 429 && status !== 202)).toEqual([]);
    const full = statuses.indexOf(429);
    release();
    await until(async () => (release(), (await send(`msg_${full}`)).status === 202), "What was refused as too much is not taken later.");
  });

  it("AH21: is refused when it sends an id again, also where the input of the tool would be another one", async () => {
    await using server = await openTestServer({ tools: [whoami] });
    const input = { at: { from: "/at" }, text: { from: "/body/text" } };
    const made = await server.ask("POST", "/hooks", { name: "timed", tool: "whoami", agent: "a", input });
    const send = (text: string) => {
      const body = JSON.stringify({ text });
      return post(server, "timed", body, { ...signMessage("msg_1", Date.now(), body, [made.body.secret]) });
    };
    expect((await send("one")).status).toBe(202);
    for (const text of ["one", "two"])
      expect(await send(text)).toMatchObject({ status: 401, detail: expect.stringContaining("it came before") });
    expect((await server.ask("GET", "/jobs")).body.jobs).toHaveLength(1);
  });

  it("sends JSON whatever it calls it, and its id cannot leave the key of the job", async () => {
    await using server = await openTestServer({ tools: [whoami] });
    const made = await server.ask("POST", "/hooks", { name: "plain", tool: "whoami", agent: "a" });
    const send = (id: string, type: string) =>
      post(server, "plain", '{"a":1}', { ...signMessage(id, Date.now(), '{"a":1}', [made.body.secret]), "content-type": type });
    expect((await send("msg_1", "text/plain")).status).toBe(202);
    expect((await send("msg_2", "application/x-www-form-urlencoded")).status).toBe(202);
    expect((await send("../other msg", "application/json")).status).toBe(401);
  });
});

describe("requests that come together", () => {
  it("AH11: make no more schedules than one after the other", async () => {
    await using server = await openTestServer();
    const bot = await server.as("bot");
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => bot("POST", "/schedules", { id: `s${index}`, ...every })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 429));
    expect((await server.ask("GET", "/schedules")).body.schedules).toHaveLength(20);
  });

  it("make no more hooks than one after the other, and leave no secret behind", async () => {
    await using server = await openTestServer();
    const make = (name: string) => server.ask("POST", "/hooks", { name, tool: "echo", agent: "a" });
    for (let count = 0; count < 97; count++) await make(`h${count}`);
    const same = await Promise.all(Array.from({ length: 5 }, () => make("same")));
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    const more = await Promise.all(Array.from({ length: 5 }, (_, index) => make(`more${index}`)));
    expect(more.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429, 429]);
    expect(await server.rack.secrets.list()).toHaveLength(100);
  });

  it("make no more webhooks with one id than one, whose secret goes with it", async () => {
    await using server = await openTestServer({ config: { hooks: { allowHosts: ["127.0.0.1:9"] } } });
    const make = () => server.ask("POST", "/webhooks", { id: "same", url: "http://127.0.0.1:9/", on: { schema_name: "news.v1" } });
    const same = await Promise.all(Array.from({ length: 5 }, make));
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    expect(await server.rack.secrets.list()).toHaveLength(1);
    await server.ask("DELETE", "/webhooks/same");
    expect(await server.rack.secrets.list()).toEqual([]);
  });
});

describe("an agent with a schedule", () => {
  it("cannot start again what a person paused, and can what it paused itself", async () => {
    await using server = await openTestServer();
    const bot = await server.as("bot");
    await bot("POST", "/schedules", { id: "mine", ...every });
    const listed = (await server.ask("GET", "/approvals")).body;
    expect(listed.schedulesTotal).toBe(1);
    const [{ id, digest }] = listed.schedules;
    await server.ask("POST", `/approvals/${id}/decide`, { approved: true, digest });
    expect((await bot("POST", "/schedules/mine/pause")).status).toBe(200);
    expect((await bot("POST", "/schedules/mine/resume")).status).toBe(200);
    await server.ask("POST", "/schedules/mine/pause");
    expect(await bot("POST", "/schedules/mine/resume")).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/Paused by owner/) },
    });
    expect((await bot("POST", "/schedules/mine/run")).status).toBe(409);
    expect((await server.ask("GET", "/jobs")).body.jobs).toEqual([]);
    expect((await server.ask("POST", "/schedules/mine/resume")).body).toMatchObject({ state: "active" });
  });

  it("that an admin made for another agent gets no role by that, and waits if a run made it", async () => {
    await using server = await openTestServer({ tools: [whoami] });
    const made = await server.ask("POST", "/schedules", { id: "other", tool: "whoami", agent: "reader", everyMs: 60_000 });
    expect(made.body).toMatchObject({ state: "active", runsAs: { agent: "reader" } });
    const { job } = (await server.ask("POST", "/schedules/other/run")).body;
    const ended = (await server.ask("GET", `/jobs/${job}/wait?timeoutMs=60000`)).body;
    expect(ended.result.data).toMatchObject({ agent: "reader", roles: [], owner: false });
    const inRun = { id: "inrun", ...every, agent: "reader", run: "automation 0 schedule:other" };
    expect((await server.ask("POST", "/schedules", inRun)).body).toMatchObject({ state: "waiting" });
    const deeper = { id: "deeper", ...every, agent: "reader", run: "automation 1 schedule:inrun" };
    expect((await server.ask("POST", "/schedules", deeper)).status).toBe(429);
  });
});

describe("an agent that wants no trigger to see its call", () => {
  it("cannot say that the call is deep in a chain of jobs", async () => {
    await using server = await openTestServer();
    const bot = await server.as("bot");
    const hidden = await bot("POST", "/tools/echo/call", { input: {}, run: "automation 3 trigger:x" });
    expect(hidden).toMatchObject({ status: 400, body: { detail: expect.stringContaining("one of the server") } });
    const asOther = await server.ask("POST", "/tools/echo/call", { input: {}, runAs: { agent: "a", run: "automation 3 x" } });
    expect(asOther.status).toBe(400);
    expect((await bot("POST", "/tools/echo/call", { input: { text: "a" }, run: "automation" })).status).toBe(200);
  });
});

let release: () => void = () => undefined;
const slow = defineTool({
  name: "slow",
  description: "Waits.",
  inputSchema: { type: "object" },
  handler: () => new Promise<string>((resolve) => (release = () => resolve("done"))),
});
const whoami = defineTool({
  name: "whoami",
  description: "Tells who calls.",
  inputSchema: { type: "object" },
  handler: (_, { caller }) => ({ agent: caller.agent, roles: caller.roles ?? [], owner: caller.owner === true }),
});
