import { defineTool } from "@toolrack/core";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { signMessage } from "../../src/rack/automation/hooks/signature.ts";

interface Noted {
  readonly title: string;
  readonly agent: string | undefined;
  readonly isOwner: boolean;
}

function notebook(): { readonly noted: Noted[]; readonly tools: readonly ReturnType<typeof defineTool>[] } {
  const noted: Noted[] = [];
  const note = defineTool({
    name: "note",
    description: "Notes a title.",
    inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"], additionalProperties: false },
    handler: ({ title }: { title: string }, { caller }) => {
      noted.push({ title, agent: caller.agent, isOwner: caller.owner === true });
      return { title };
    },
  });
  return { noted, tools: [note as never] };
}

describe("schedules over the API", () => {
  it("are added, shown with their next five times, run now, paused, resumed and removed", async () => {
    const { noted, tools } = notebook();
    await using server = await openTestServer({ tools: tools as never });
    const made = await server.ask("POST", "/schedules", {
      id: "daily",
      tool: "note",
      input: { title: "Report" },
      cron: "0 7 * * *",
      tz: "Europe/Berlin",
    });
    expect(made).toMatchObject({ status: 201, body: { state: "active", runsAs: { agent: "owner" } } });
    expect(made.body.next).toHaveLength(5);
    expect((await server.ask("GET", "/schedules")).body.schedules).toMatchObject([{ id: "daily" }]);
    const { job } = (await server.ask("POST", "/schedules/daily/run")).body;
    expect((await server.ask("GET", `/jobs/${job}/wait?timeoutMs=60000`)).body).toMatchObject({ state: "done", origin: "schedule:daily" });
    expect(noted).toEqual([{ title: "Report", agent: "owner", isOwner: false }]);
    expect((await server.ask("POST", "/schedules/daily/pause")).body).toMatchObject({ state: "paused", pausedBy: "caller", next: [] });
    expect((await server.ask("POST", "/schedules/daily/resume")).body).toMatchObject({ state: "active" });
    expect((await server.ask("DELETE", "/schedules/daily")).status).toBe(204);
    expect((await server.ask("GET", "/schedules/daily")).status).toBe(404);
    const kinds = (await server.ask("GET", "/audit")).body.lines.map((line: { kind: string }) => line.kind);
    for (const kind of ["added", "run", "paused", "resumed", "removed"]) expect(kinds).toContain(`schedule-${kind}`);
  });

  it("are refused where they are wrong, with the reason", async () => {
    const inputSchema = {
      type: "object",
      properties: { team: { type: "string" } },
      required: ["team"],
      additionalProperties: false,
    } as const;
    const strict = defineTool({ name: "strict", description: "Reports of a team.", inputSchema, handler: () => "done" });
    await using server = await openTestServer({ tools: [strict] });
    const add = (body: object) => server.ask("POST", "/schedules", { id: "x", tool: "echo", input: { text: "a" }, ...body });
    expect(await add({ everyMs: 1_000 })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/more often than every 10 seconds/) },
    });
    expect(await add({ cron: "0 0 30 2 *", tz: "UTC" })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/does not exist/) },
    });
    expect(await add({ cron: "0 0 * * *", tz: "Mars/X" })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/not a time zone/) },
    });
    expect(await add({ tool: "none", everyMs: 60_000 })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/no tool "none"/) },
    });
    expect(await add({ tool: "strict", everyMs: 60_000, input: { tema: "support" } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/The schedule "x" is wrong: "strict" does not take its input: .*team/) },
    });
    expect((await add({ tool: "strict", everyMs: 60_000, input: { team: "support" } })).status).toBe(201);
  });

  it("with text of others in them wait for a person, whoever adds them", async () => {
    await using server = await openTestServer();
    const add = (id: string, labels: object) =>
      server.ask("POST", "/schedules", { id, tool: "echo", input: { text: "a" }, everyMs: 60_000, labels });
    expect((await add("foreign", { "/input/text": ["untrusted"] })).body).toMatchObject({ state: "waiting" });
    expect((await add("own", { "/input/text": ["private"] })).body).toMatchObject({ state: "active" });
    expect((await add("wrong", { "/input/text": ["strange"] })).status).toBe(400);
  });

  it("of an agent wait for a person, who finds them among the approvals, and are not there for others", async () => {
    const { noted, tools } = notebook();
    await using server = await openTestServer({ tools: tools as never });
    const [bot, other] = [await server.as("bot"), await server.as("other")];
    const made = await bot("POST", "/schedules", { id: "mine", tool: "note", input: { title: "Bot" }, everyMs: 60_000 });
    expect(made).toMatchObject({ status: 201, body: { state: "waiting" } });
    expect((await bot("POST", "/schedules/mine/run")).status).toBe(409);
    expect((await other("GET", "/schedules")).body.schedules).toEqual([]);
    for (const path of ["", "/pause", "/resume", "/run"])
      expect((await other(path === "" ? "GET" : "POST", `/schedules/mine${path}`)).status).toBe(404);
    const { schedules } = (await server.ask("GET", "/approvals")).body;
    expect(schedules).toMatchObject([
      { id: "schedule-mine", kind: "schedule", schedule: "mine", tool: "note", by: "bot", input: { title: "Bot" } },
    ]);
    expect((await server.ask("GET", "/approvals/schedule-mine")).body).toEqual(schedules[0]);
    expect((await server.ask("POST", "/approvals/schedule-mine/decide", { approved: true, digest: "sha256:x" })).status).toBe(409);
    const decided = await server.ask("POST", "/approvals/schedule-mine/decide", { approved: true, digest: schedules[0].digest });
    expect(decided.status).toBe(200);
    expect((await bot("GET", "/schedules/mine")).body).toMatchObject({ state: "active" });
    const { job } = (await bot("POST", "/schedules/mine/run")).body;
    await server.ask("GET", `/jobs/${job}/wait?timeoutMs=60000`);
    expect(noted).toEqual([{ title: "Bot", agent: "bot", isOwner: false }]);
  });

  it("run as another agent only by an admin, and with that agent's policy", async () => {
    await using server = await openTestServer({ config: { policy: { agents: { reader: { tools: { deny: ["add"] } } } } } });
    const bot = await server.as("bot");
    expect((await bot("POST", "/schedules", { id: "a", tool: "echo", agent: "owner", everyMs: 60_000 })).status).toBe(403);
    const made = await server.ask("POST", "/schedules", { id: "a", tool: "echo", input: { text: "a" }, agent: "reader", everyMs: 60_000 });
    expect(made.body).toMatchObject({ state: "active", runsAs: { agent: "reader" } });
    expect((await server.ask("POST", "/schedules", { id: "b", tool: "add", agent: "reader", everyMs: 60_000 })).status).toBe(400);
  });

  it("are seen by whoever sees all, and changed by their makers and by curators alone", async () => {
    await using server = await openTestServer();
    const [viewer, curator] = [await server.as("viewer", "subscriber"), await server.as("curator", "curator")];
    await server.ask("POST", "/schedules", { id: "daily", tool: "echo", input: { text: "a" }, everyMs: 60_000 });
    expect((await viewer("GET", "/schedules/daily")).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/schedules/daily/pause"],
      ["POST", "/schedules/daily/resume"],
      ["POST", "/schedules/daily/run"],
      ["DELETE", "/schedules/daily"],
    ] as const)
      expect(await viewer(method, path)).toMatchObject({ status: 403, body: { code: "ROLE_MISSING" } });
    expect((await server.ask("GET", "/jobs")).body.jobs).toEqual([]);
    expect((await curator("POST", "/schedules/daily/pause")).body).toMatchObject({ state: "paused" });
  });

  it("of the file are there after the start, and are changed in the file only", async () => {
    const { tools } = notebook();
    await using server = await openTestServer({
      tools: tools as never,
      config: { schedules: { nightly: { agent: "reporter", tool: "note", input: { title: "Night" }, cron: "0 3 * * *", tz: "UTC" } } },
    });
    await until(async () => (await server.ask("GET", "/schedules")).body.schedules.length === 1);
    expect((await server.ask("GET", "/schedules/nightly")).body).toMatchObject({
      origin: "options at schedules.nightly",
      runsAs: { agent: "reporter", principal: "schedule nightly" },
    });
    expect((await server.ask("DELETE", "/schedules/nightly")).status).toBe(409);
  });
});

describe("webhooks that are taken", () => {
  const title = JSON.stringify({ issue: { title: "It is broken" } });

  async function open(): Promise<{
    readonly server: TestServer;
    readonly noted: Noted[];
    readonly secret: string;
    send(change?: object): Promise<number>;
  }> {
    const { noted, tools } = notebook();
    const server = await openTestServer({ tools: tools as never });
    const made = await server.ask("POST", "/hooks", {
      name: "tracker",
      tool: "note",
      agent: "tracker",
      input: { title: { from: "/body/issue/title" } },
    });
    expect(made.status).toBe(201);
    const { secret } = made.body;
    let count = 0;
    const send = async ({
      id = `msg_${++count}`,
      body = title,
      at = Date.now(),
      signedBody = body,
      secrets = [secret],
      headers = {},
    }: SendOptions = {}) => {
      const signed = signMessage(id, at, signedBody, secrets);
      return (await server.request("POST", "/hooks/tracker", { key: "", from: "203.0.113.9", body, headers: { ...signed, ...headers } }))
        .status;
    };
    return { server, noted, secret, send: send as never };
  }

  interface SendOptions {
    readonly id?: string;
    readonly body?: string;
    readonly at?: number;
    readonly signedBody?: string;
    readonly secrets?: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
  }

  it("call a tool with what the mapping takes from the body, as the agent that was said", async () => {
    const { server, noted, send } = await open();
    await using _ = server;
    expect(await send()).toBe(202);
    await until(() => noted.length === 1);
    expect(noted).toEqual([{ title: "It is broken", agent: "tracker", isOwner: false }]);
    // Its run says how deep it is in a chain of jobs.
    const caller = { principal: "hook tracker", session: "hook:tracker", run: "automation 0 hook:tracker" };
    expect((await server.ask("GET", "/jobs")).body.jobs).toMatchObject([{ origin: "hook:tracker", caller }]);
  });

  it("AH21: an old time, a known id, a changed body or no signature is a 401, and nothing runs", async () => {
    const { server, noted, send } = await open();
    await using _ = server;
    expect(await send({ id: "msg_known" })).toBe(202);
    await until(() => noted.length === 1);
    expect(await send({ id: "msg_known" })).toBe(401);
    expect(await send({ at: Date.now() - 301_000 })).toBe(401);
    expect(await send({ at: Date.now() + 360_000 })).toBe(401);
    expect(await send({ signedBody: "{}" })).toBe(401);
    expect(await send({ headers: { "webhook-signature": "" } })).toBe(401);
    expect(await send({ secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] })).toBe(401);
    expect((await server.ask("GET", "/jobs")).body.jobs).toHaveLength(1);
    expect(noted).toHaveLength(1);
  });

  it("refuse hostile bodies without a job: no JSON, two equal keys, deep nesting, another shape, too many bytes", async () => {
    const { server, noted, send } = await open();
    await using _ = server;
    expect(await send({ body: "{" })).toBe(422);
    expect(await send({ body: '{"issue":{"title":"a"},"issue":{"title":"b"}}' })).toBe(422);
    expect(await send({ body: `{"issue":${"[".repeat(5_000)}${"]".repeat(5_000)}}` })).toBe(422);
    expect(await send({ body: '{"issue":{"title":5}}' })).toBe(422);
    expect(await send({ body: '{"__proto__":{"issue":{"title":"x"}}}' })).toBe(422);
    expect(await send({ body: JSON.stringify({ issue: { title: "x".repeat(300_000) } }) })).toBe(413);
    expect(await send({ body: JSON.stringify({ issue: { title: "x".repeat(1_100_000) } }) })).toBe(413);
    expect((await server.ask("GET", "/jobs")).body.jobs).toEqual([]);
    expect(noted).toEqual([]);
    const small = await server.ask("POST", "/hooks", { name: "small", tool: "note", agent: "a", bodyBytes: 100, verify: "key" });
    const taken = async (title: string) =>
      (await server.request("POST", "/hooks/small", { key: small.body.secret, from: "203.0.113.9", body: { title } })).status;
    expect([await taken("x".repeat(200)), await taken("x")]).toEqual([413, 202]);
    await until(() => noted.length === 1);
    expect(noted).toMatchObject([{ title: "x" }]);
  });

  it("take a key instead of a signature where that is said, and the old secret while it overlaps", async () => {
    const { noted, tools } = notebook();
    await using server = await openTestServer({ tools: tools as never });
    const { secret } = (await server.ask("POST", "/hooks", { name: "simple", tool: "note", agent: "simple", verify: "key" })).body;
    const send = async (key: string) =>
      (await server.request("POST", "/hooks/simple", { body: { title: "Hi" }, key, from: "203.0.113.9" })).status;
    expect(await send("")).toBe(401);
    expect(await send("whsec_wrong")).toBe(401);
    expect(await send(secret)).toBe(202);
    const next = (await server.ask("POST", "/hooks/simple/rotate", { overlapHours: 1 })).body.secret;
    expect([await send(secret), await send(next)]).toEqual([202, 202]);
    const last = (await server.ask("POST", "/hooks/simple/rotate", { overlapHours: 0 })).body.secret;
    expect([await send(secret), await send(next), await send(last)]).toEqual([401, 401, 202]);
    await until(() => noted.length === 4);
    expect((await server.ask("DELETE", "/hooks/simple")).status).toBe(204);
    expect(await send(last)).toBe(401);
    const shown = JSON.stringify([(await server.ask("GET", "/hooks")).body, (await server.ask("GET", "/audit")).body]);
    for (const text of [secret, next, last]) expect(shown).not.toContain(text);
  });

  it("can be made by admins only, for a tool that the agent may use, with a mapping that fits", async () => {
    await using server = await openTestServer();
    const curator = await server.as("curator", "curator");
    expect((await curator("POST", "/hooks", { name: "a", tool: "echo", agent: "a" })).status).toBe(403);
    expect((await server.ask("POST", "/hooks", { name: "a", tool: "none", agent: "a" })).status).toBe(400);
    expect((await server.ask("POST", "/hooks", { name: "a", tool: "add", agent: "a", input: { none: { from: "" } } })).status).toBe(400);
    for (const header of ["authorization", "cookie", "proxy-authorization", "webhook-signature"])
      expect(await server.ask("POST", "/hooks", { name: "a", tool: "echo", agent: "a", headers: [header] })).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining(`The header "${header}" holds what proves who sent it`) },
      });
  });
});

describe("webhooks that are sent", () => {
  it("show their whole URL to admins only: many receivers have a secret in it", async () => {
    await using server = await openTestServer({ config: { hooks: { allowHosts: ["127.0.0.1:9", "127.0.0.1:10"] } } });
    const on = { schema_name: "news.v1" };
    await server.ask("POST", "/webhooks", { id: "chat", url: "http://127.0.0.1:9/services/T0/B0?key=hunter2", on });
    await server.ask("POST", "/webhooks", { id: "plain", url: "http://127.0.0.1:10/", on });
    const curator = await server.as("curator", "curator");
    const urls = async (ask: TestServer["ask"]): Promise<readonly string[]> => [
      ...(await ask("GET", "/webhooks")).body.webhooks.map((one: { spec: { url: string } }) => one.spec.url),
      (await ask("GET", "/webhooks/chat")).body.spec.url,
    ];
    const whole = "http://127.0.0.1:9/services/T0/B0?key=hunter2";
    expect(await urls(server.ask)).toEqual([whole, "http://127.0.0.1:10/", whole]);
    expect(await urls(curator)).toEqual(["http://127.0.0.1:9/…", "http://127.0.0.1:10/", "http://127.0.0.1:9/…"]);
    expect((await curator("GET", "/webhooks/none")).status).toBe(404);
    const told = JSON.stringify([(await curator("GET", "/audit")).body, (await curator("GET", "/webhooks/chat/deliveries")).body]);
    expect(told).not.toContain("hunter2");
  });
});

describe("triggers over the API", () => {
  it("run as another agent only by an admin, and with that agent's policy", async () => {
    await using server = await openTestServer({ config: { policy: { agents: { reader: { tools: { deny: ["add"] } } } } } });
    const curator = await server.as("cara", "curator");
    const on = { schema_name: "news.v1" };
    expect((await curator("POST", "/triggers", { id: "a", tool: "echo", agent: "reader", on })).status).toBe(403);
    const made = await server.ask("POST", "/triggers", { id: "a", tool: "echo", agent: "reader", on });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ runsAs: expect.objectContaining({ agent: "reader" }) })]);
    expect((await server.ask("POST", "/triggers", { id: "b", tool: "add", agent: "reader", on })).status).toBe(400);
  });

  it("made by an admin for another agent call their tool as that agent, for as long as the admin is one", async () => {
    const { noted, tools } = notebook();
    await using server = await openTestServer({ tools: tools as never });
    const boss = await server.as("boss", "admin");
    const news = { tool: "note", agent: "reader", on: { schema_name: "news.v1" }, input: { title: { from: "/record/title" } } };
    expect((await boss("POST", "/triggers", { id: "news", ...news })).status).toBe(201);
    const often = { tool: "note", agent: "reader", input: { title: "Often" }, everyMs: 60_000 };
    expect((await boss("POST", "/schedules", { id: "often", ...often })).body).toMatchObject({ state: "active" });
    const anna = await server.as("anna", "emitter");
    await anna("POST", "/breadcrumbs", { schema_name: "news.v1", title: "Rain", context: {} });
    await until(() => noted.length === 1);
    expect(noted).toEqual([{ title: "Rain", agent: "reader", isOwner: false }]);
    const { keys } = server.rack;
    for (const { id, agent } of await keys.list()) if (agent === "boss") await keys.revoke(id, "test");
    await keys.create({ agent: "boss", roles: ["curator"], by: "test" });
    await anna("POST", "/breadcrumbs", { schema_name: "news.v1", title: "Sun", context: {} });
    const shown = async () => (await server.ask("GET", "/triggers/news")).body;
    await until(async () => (await shown()).state === "paused");
    const sentence = expect.stringContaining('"boss" is not an admin any more');
    expect(await shown()).toMatchObject({ reason: sentence, pausedBy: "server" });
    expect(await server.ask("POST", "/schedules/often/run")).toMatchObject({ status: 409, body: { detail: sentence } });
    expect((await server.ask("POST", "/triggers/news/test", { event: {} })).body).toEqual({ isChosen: false, fault: sentence });
    expect(noted).toHaveLength(1);
  });

  it("tell what they would do with an event, and call nothing", async () => {
    const { noted, tools } = notebook();
    await using server = await openTestServer({ tools: tools as never });
    const news = { tool: "note", input: { title: { from: "/record/context/headline" } } };
    const on = { schema_name: "news.v1", anyTags: ["hot"], types: ["record-created"] };
    await server.ask("POST", "/triggers", { id: "news", on, ...news });
    const test = async (event: object, id = "news") => server.ask("POST", `/triggers/${id}/test`, { event });
    const record = { tags: ["hot"], context: { headline: "Rain" } };
    expect(await test({ record })).toMatchObject({ status: 200, body: { isChosen: true, input: { title: "Rain" } } });
    for (const other of [
      { record: { ...record, tags: [] } },
      { record, type: "record-deleted" },
      { record: { ...record, schema_name: "b.v1" } },
    ])
      expect((await test(other)).body).toEqual({ isChosen: false, fault: expect.stringContaining("does not choose") });
    expect((await test({ record: { tags: ["hot"] } })).body).toEqual({ isChosen: true, fault: expect.stringContaining('"note" takes') });
    await server.ask("POST", "/triggers", {
      id: "ends",
      on: { tool: "echo", agent: "anna" },
      tool: "echo",
      input: { text: { from: "/type" } },
    });
    expect((await test({ ok: true }, "ends")).body).toEqual({ isChosen: true, input: { text: "call-end" } });
    expect((await test({ agent: "bob" }, "ends")).body).toMatchObject({ isChosen: false });
    const fault =
      'A "call-end" event has no "call". It has callId, tool, ok, code, durationMs, startedAt, agent, parentCallId, and type, id and at.';
    expect((await test({ call: { tool: "echo" } }, "ends")).body).toEqual({ isChosen: false, fault });
    await server.ask("POST", "/triggers", {
      id: "who",
      on: { tool: "echo", agent: "anna" },
      tool: "echo",
      input: { text: { from: "/agent" } },
    });
    expect((await test({}, "who")).body).toEqual({ isChosen: true, input: { text: "anna" } });
    expect((await test({ record: { tags: "hot" } })).status).toBe(400);
    expect((await test({}, "none")).status).toBe(404);
    server.rack.registry.unregister("note");
    expect((await test({ record })).body).toEqual({ isChosen: true, fault: expect.stringContaining('no tool "note"') });
    expect([noted, (await server.ask("GET", "/jobs")).body.jobs]).toEqual([[], []]);
    const bot = await server.as("bot");
    expect((await bot("POST", "/triggers/news/test", { event: { record } })).status).toBe(403);
  });

  // row: H13
  it("call a tool with each record that was chosen, and not with what their own calls write", async () => {
    const { noted, tools } = notebook();
    await using server = await openTestServer({ tools: tools as never });
    const made = await server.ask("POST", "/triggers", {
      id: "news",
      on: { schema_name: "news.v1", types: ["record-created"] },
      tool: "note",
      input: { title: { from: "/record/title" } },
    });
    expect(made).toMatchObject({ status: 201, body: { state: "active" } });
    const anna = await server.as("anna", "emitter");
    expect((await anna("POST", "/breadcrumbs", { schema_name: "news.v1", title: "Rain", context: {} })).status).toBe(201);
    await anna("POST", "/breadcrumbs", { schema_name: "other.v1", title: "Other", context: {} });
    await server.ask("POST", "/breadcrumbs", { schema_name: "news.v1", title: "Written by the owner", context: {} });
    await anna("POST", "/breadcrumbs", { schema_name: "news.v1", title: "Sun", context: {} });
    await until(() => noted.length === 2);
    expect(noted.map(({ title }) => title)).toEqual(["Rain", "Sun"]);
    expect((await server.ask("POST", "/triggers/news/pause")).body).toMatchObject({ state: "paused", pausedBy: "caller" });
    expect((await server.ask("DELETE", "/triggers/news")).status).toBe(204);
    expect((await anna("GET", "/triggers")).status).toBe(403);
  });
});
