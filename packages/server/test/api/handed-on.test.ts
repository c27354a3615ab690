import { describe, expect, it } from "vitest";
import { canvasRoutes } from "../../src/api/canvases.ts";
import { scheduleRoutes } from "../../src/api/schedules.ts";
import { sessionRoutes } from "../../src/api/sessions.ts";
import { signInRoutes } from "../../src/api/sign-in.ts";
import { triggerRoutes } from "../../src/api/triggers.ts";
import { webhookRoutes } from "../../src/api/webhooks.ts";
import { workerRoutes } from "../../src/api/workers.ts";
import { nameSession } from "../../src/api/shared/sessions.ts";
import { Credential } from "../../src/http/sign-in/credential.ts";
import { toIdentity } from "../../src/http/sign-in/identity.ts";
import { identityOf, partOf, runRoute } from "./_run-route.ts";

const ada = identityOf("ada");
const admin = identityOf("boss", "admin");
const curator = identityOf("carol", "curator");
const owner = toIdentity({ agent: "owner", principal: "owner", roles: ["admin", "owner"], via: "owner", storeOwner: "acme" });
const settings = { get: () => undefined, agentNames: () => [], policy: { unknownAgents: "allow" } };

describe("webhooks that are sent", () => {
  const info = { id: "w1", spec: { url: "https://hooks.example/x?key=1", on: ["test"] } };
  const delivery = (id: string) => ({ id });
  const rackWith = (answers: Record<string, unknown>) => {
    const { part, asked } = partOf(answers);
    return { rack: { automation: { endpoints: part } }, asked };
  };

  it.each<[id: string, method: string, given: object, handed: unknown[], answer: object]>([
    ["pauseWebhook", "pause", {}, ["w1", admin], { body: info }],
    ["resumeWebhook", "resume", {}, ["w1", admin], { body: info }],
    ["rotateWebhookSecret", "rotate", { body: { overlapHours: 2 } }, ["w1", 7_200_000, admin], { body: info }],
    ["rotateWebhookSecret", "rotate", { body: {} }, ["w1", 86_400_000, admin], { body: info }],
    ["rotateWebhookSecret", "rotate", { body: { overlapHours: 0 } }, ["w1", 0, admin], { body: info }],
    ["testWebhook", "test", {}, ["w1", admin], { status: 202, body: info }],
  ])("are changed in the name of who asks, and are not there where they are not: %s", async (id, method, given, handed, answer) => {
    const known = rackWith({ [method]: info });
    const input = { identity: admin, params: { id: "w1" }, ...given };
    expect(await runRoute(webhookRoutes, id, { ...known, ...input })).toEqual(answer);
    expect(known.asked).toEqual([[method, ...handed]]);
    await expect(runRoute(webhookRoutes, id, { ...rackWith({ [method]: undefined }), ...input })).rejects.toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      message: 'There is no webhook "w1". See: toolrack hooks list',
    });
  });

  it("are added with all that they were given, and removed once", async () => {
    const { rack, asked } = rackWith({ add: info, remove: (id: string) => id === "w1" });
    expect(
      await runRoute(webhookRoutes, "addWebhook", { rack, identity: admin, body: { id: "w1", url: "https://a.example", on: ["test"] } }),
    ).toEqual({
      status: 201,
      body: info,
    });
    expect(await runRoute(webhookRoutes, "removeWebhook", { rack, identity: admin, params: { id: "w1" } })).toEqual({ status: 204 });
    await expect(runRoute(webhookRoutes, "removeWebhook", { rack, identity: admin, params: { id: "w2" } })).rejects.toMatchObject({
      status: 404,
    });
    expect(asked).toEqual([
      ["add", "w1", { url: "https://a.example", on: ["test"] }, admin],
      ["remove", "w1", admin],
      ["remove", "w2", admin],
    ]);
  });

  it("are shown with their whole URL to admins alone, unless there is nothing behind the host", async () => {
    const plain = { id: "w2", spec: { url: "https://hooks.example/", on: [] } };
    const { rack } = rackWith({ list: [info, plain], get: (id: string) => (id === "w1" ? info : undefined) });
    const hidden = { ...info, spec: { ...info.spec, url: "https://hooks.example/…" } };
    expect(await runRoute(webhookRoutes, "listWebhooks", { rack, identity: admin })).toEqual({ body: { webhooks: [info, plain] } });
    expect(await runRoute(webhookRoutes, "listWebhooks", { rack, identity: curator })).toEqual({ body: { webhooks: [hidden, plain] } });
    expect(await runRoute(webhookRoutes, "showWebhook", { rack, identity: curator, params: { id: "w1" } })).toEqual({ body: hidden });
    await expect(runRoute(webhookRoutes, "showWebhook", { rack, params: { id: "x".repeat(70) } })).rejects.toThrow(`"${"x".repeat(64)}"`);
  });

  it("have deliveries that are listed page by page, by their state", async () => {
    const { rack, asked } = rackWith({
      get: (id: string) => (id === "w1" ? info : undefined),
      deliveries: (_id: string, { limit }: { limit: number }) => Array.from({ length: Math.min(limit, 2) }, (_, at) => delivery(`d${at}`)),
    });
    const list = (query: object, id = "w1") => runRoute(webhookRoutes, "listDeliveries", { rack, params: { id }, query });
    expect(await list({ limit: 2 })).toEqual({ body: { deliveries: [delivery("d0"), delivery("d1")], next: "d1" } });
    expect(await list({ limit: 3, state: "dead", after: "d9" })).toEqual({ body: { deliveries: [delivery("d0"), delivery("d1")] } });
    expect(asked.filter(([name]) => name === "deliveries")).toEqual([
      ["deliveries", "w1", { limit: 2 }],
      ["deliveries", "w1", { limit: 3, state: "dead", after: "d9" }],
    ]);
    await expect(list({ limit: 3 }, "w2")).rejects.toMatchObject({ status: 404 });
  });

  it("are sent again one delivery at a time", async () => {
    const { rack, asked } = rackWith({ replay: (_id: string, one: string) => (one === "d1" ? delivery("d1") : undefined) });
    const replay = (one: string) =>
      runRoute(webhookRoutes, "replayDelivery", { rack, identity: admin, params: { id: "w1", delivery: one } });
    expect(await replay("d1")).toEqual({ body: delivery("d1") });
    expect(asked).toEqual([["replay", "w1", "d1", admin]]);
    await expect(replay("d2")).rejects.toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      message: 'The webhook "w1" has no delivery "d2". See: toolrack hooks deliveries w1',
    });
  });
});

describe("schedules", () => {
  const details = { id: "s1", runsAs: { agent: "ada", principal: "key ada" } };
  const rackWith = (answers: Record<string, unknown> = {}) => {
    const { part, asked } = partOf({ get: (id: string) => (id === "s1" ? details : undefined), ...answers });
    return { rack: { automation: { schedules: part }, settings }, asked };
  };

  it.each<[id: string, method: string, status: number | undefined, withRole: boolean]>([
    ["pauseSchedule", "pause", undefined, false],
    ["resumeSchedule", "resume", undefined, true],
    ["runSchedule", "run", 202, true],
  ])("are changed by their makers and by curators alone: %s", async (id, method, status, withRole) => {
    const params = { id: "s1" };
    const expected = { ...(status !== undefined && { status }), body: details };
    for (const identity of [ada, curator]) {
      const { rack, asked } = rackWith({ [method]: details });
      expect(await runRoute(scheduleRoutes, id, { rack, identity, params })).toEqual(expected);
      expect(asked.at(-1)).toEqual([method, "s1", identity, ...(withRole ? [identity === curator] : [])]);
    }
    const { rack, asked } = rackWith({ [method]: undefined });
    await expect(runRoute(scheduleRoutes, id, { rack, identity: ada, params })).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
    await expect(runRoute(scheduleRoutes, id, { rack, identity: identityOf("sam", "subscriber"), params })).rejects.toMatchObject({
      status: 403,
      code: "ROLE_MISSING",
      message: '"sam" may change its own schedules only. Those of others need the role "curator".',
    });
    await expect(runRoute(scheduleRoutes, id, { rack, identity: identityOf("eve"), params })).rejects.toMatchObject({
      status: 404,
      message: 'There is no schedule "s1". See: toolrack schedules list',
    });
    expect(asked.filter(([name]) => name === method)).toHaveLength(1);
  });

  it("are shown to their makers and to who sees all, and removed once", async () => {
    const { rack } = rackWith({ remove: (_id: string, by: unknown) => by === ada });
    const params = { id: "s1" };
    for (const identity of [ada, curator])
      expect(await runRoute(scheduleRoutes, "showSchedule", { rack, identity, params })).toEqual({ body: details });
    await expect(runRoute(scheduleRoutes, "showSchedule", { rack, identity: identityOf("eve"), params })).rejects.toMatchObject({
      status: 404,
    });
    expect(await runRoute(scheduleRoutes, "removeSchedule", { rack, identity: ada, params })).toEqual({ status: 204 });
    await expect(runRoute(scheduleRoutes, "removeSchedule", { rack, identity: curator, params })).rejects.toMatchObject({ status: 404 });
  });

  it("are added as their maker says: as itself, in a run, or by an admin for another agent", async () => {
    const { rack, asked } = rackWith({ add: details });
    const add = (identity: typeof ada, more: object) =>
      runRoute(scheduleRoutes, "addSchedule", { rack, identity, body: { id: "s1", tool: "echo", every: "1h", ...more } });
    expect(await add(ada, {})).toEqual({ status: 201, body: details });
    await add(ada, { agent: "ada", run: "r1", labels: { "/input": ["untrusted"] } });
    await add(owner, { agent: "bot" });
    const spec = { tool: "echo", every: "1h" };
    expect(asked[0]).toEqual(["add", { id: "s1", spec, caller: ada.caller, by: ada }]);
    expect(asked[1]).toEqual([
      "add",
      { id: "s1", spec, caller: { ...ada.caller, run: "r1" }, by: ada, labels: { "/input": ["untrusted"] } },
    ]);
    expect(asked[2]).toEqual(["add", { id: "s1", spec, caller: expect.objectContaining({ agent: "bot", acting: true }), by: owner }]);
    await expect(add(ada, { agent: "bot" })).rejects.toMatchObject({ status: 403 });
  });
});

describe("triggers", () => {
  const info = { id: "t1" };
  const rackWith = (answers: Record<string, unknown>) => {
    const { part, asked } = partOf(answers);
    return { rack: { automation: { triggers: part }, settings }, asked };
  };

  it("are listed, shown, paused, resumed and removed, and are not there where they are not", async () => {
    const is = (id: string) => (id === "t1" ? info : undefined);
    const { rack, asked } = rackWith({ list: [info], get: is, pause: is, resume: is, remove: (id: string) => id === "t1" });
    const run = (id: string, trigger = "t1") => runRoute(triggerRoutes, id, { rack, identity: curator, params: { id: trigger } });
    expect(await run("listTriggers")).toEqual({ body: { triggers: [info] } });
    for (const id of ["showTrigger", "pauseTrigger", "resumeTrigger"]) {
      expect(await run(id)).toEqual({ body: info });
      await expect(run(id, "t2")).rejects.toMatchObject({ status: 404, code: "NOT_FOUND", message: expect.stringContaining('"t2"') });
    }
    expect(await run("removeTrigger")).toEqual({ status: 204 });
    await expect(run("removeTrigger", "t2")).rejects.toMatchObject({ status: 404 });
    expect(asked.filter(([name]) => name === "pause" || name === "resume" || name === "remove")).toEqual(
      ["pause", "pause", "resume", "resume", "remove", "remove"].map((name, at) => [name, at % 2 === 0 ? "t1" : "t2", curator]),
    );
  });

  it("are added as themselves, or by an admin for another agent", async () => {
    const { rack, asked } = rackWith({ add: info });
    const add = (identity: typeof ada, more: object) =>
      runRoute(triggerRoutes, "addTrigger", { rack, identity, body: { id: "t1", tool: "echo", on: ["created"], ...more } });
    expect(await add(curator, { agent: "carol" })).toEqual({ status: 201, body: info });
    await add(admin, { agent: "bot" });
    const spec = { tool: "echo", on: ["created"] };
    expect(asked[0]).toEqual(["add", { id: "t1", spec, caller: curator.caller, by: curator }]);
    expect(asked[1]).toEqual(["add", { id: "t1", spec, caller: expect.objectContaining({ agent: "bot", acting: true }), by: admin }]);
    await expect(add(curator, { agent: "bot" })).rejects.toMatchObject({ status: 403 });
  });
});

describe("sessions of agents", () => {
  it("are listed by what is asked for, and have a next page where this one is full", async () => {
    const { part, asked } = partOf({ list: [] });
    const rack = { agents: { sessions: part } };
    expect(await runRoute(sessionRoutes, "listSessions", { rack, query: { limit: 10, offset: 0 } })).toEqual({ body: { sessions: [] } });
    await runRoute(sessionRoutes, "listSessions", { rack, query: { agent: "desk", status: "idle", search: "x", limit: 5, offset: 10 } });
    expect(asked).toEqual([
      ["list", { limit: 10, offset: 0 }],
      ["list", { agent: "desk", status: "idle", search: "x", limit: 5, offset: 10 }],
    ]);
    const other = { agents: { starterOf: () => undefined, sessions: { list: async () => [{}, {}] } } };
    expect(await runRoute(sessionRoutes, "listSessions", { rack: other, query: { limit: 2, offset: 4 } })).toEqual({
      body: { sessions: [], next: 6 },
    });
  });

  it("are named by their agent, and no key of another agent is one", async () => {
    const rack = { agents: { sessions: { get: async () => undefined }, starterOf: () => undefined } } as never;
    expect(await nameSession({ rack, identity: owner }, "desk", "notes")).toBe("agent:desk:notes");
    expect(await nameSession({ rack, identity: owner }, "desk", "agent:desk:notes")).toBe("agent:desk:notes");
    expect(await nameSession({ rack, identity: ada }, "desk", "notes")).toBe("agent:desk:api:direct:key%20ada:notes");
    await expect(nameSession({ rack, identity: owner }, "desk", "agent:other:notes")).rejects.toMatchObject({
      status: 400,
      code: "INPUT_INVALID",
      message: '"agent:other:notes" is no key of a session of agent "desk". Such a key begins with "agent:desk:".',
    });
  });
});

describe("signing in", () => {
  const session = { token: "t", expiresAt: 5 };

  it("takes a code once, and says how to get another", async () => {
    const server = { sessions: { exchange: (code: string) => (code === "good" ? session : undefined) } };
    expect(await runRoute(signInRoutes, "signIn", { server, body: { code: "good" } })).toEqual({ body: session });
    await expect(runRoute(signInRoutes, "signIn", { server, body: { code: "bad" } })).rejects.toMatchObject({
      status: 401,
      code: "SIGN_IN_REFUSED",
      message: "This link was used already, or has expired. Get a new one with: toolrack open",
    });
  });

  it("as an agent is for the owner's own command line, and is written down", async () => {
    const { part, asked } = partOf({ audit: undefined, open: session });
    const rack = { settings, audit: part.audit };
    const open = (identity: typeof ada, agent = "bot") =>
      runRoute(signInRoutes, "openAgentSession", { rack, server: { agentSessions: part }, identity, body: { agent } });
    expect(await open(owner)).toEqual({ body: session });
    expect(asked).toEqual([
      ["audit", { kind: "agent-session-opened", subject: "bot", by: owner, body: {} }],
      ["open", "bot"],
    ]);
    await expect(open(identityOf("boss", "admin", "owner"))).rejects.toMatchObject({ status: 403, code: "ROLE_MISSING" });
    await expect(open(owner, "owner")).rejects.toMatchObject({ status: 400, code: "CONFIG_INVALID" });
    expect(asked).toHaveLength(2);
  });

  it("tells who one is, proves the server, and ends the session that it was made with", async () => {
    expect(await runRoute(signInRoutes, "showSignIn", { identity: identityOf("carol", "subscriber") })).toEqual({
      body: { agent: "carol", roles: ["subscriber"], via: "key" },
    });
    const prove = (proof: string | undefined) =>
      runRoute(signInRoutes, "proveServer", {
        server: { prove: (text: string) => proof && `${proof} ${text}` },
        query: { challenge: "c" },
      });
    expect(await prove("p")).toEqual({ body: { proof: "p c" } });
    await expect(prove(undefined)).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
    const credential = new Credential({ clock: { now: () => 0, after: () => () => undefined } });
    const identity = toIdentity({ agent: "ada", roles: [], via: "key", storeOwner: "acme", credential });
    const signOut = (ofOwner: boolean, ofAgent: boolean) => {
      const end = (is: boolean) => ({ end: (given: unknown) => is && given === credential });
      return runRoute(signInRoutes, "signOut", { server: { sessions: end(ofOwner), agentSessions: end(ofAgent) }, identity });
    };
    expect([await signOut(true, false), await signOut(false, true)]).toEqual([{}, {}]);
    await expect(signOut(false, false)).rejects.toMatchObject({ status: 409, code: "STATE_INVALID" });
  });
});

describe("canvases and workers", () => {
  it("a canvas is shown to its maker and to who sees all, and removed by its maker and by curators", async () => {
    const canvas = { id: "v1", name: "n", title: "t", caller: ada.caller, updatedAt: 1, document: "<p>" };
    const removed: string[] = [];
    const rack = {
      canvases: {
        list: () => [canvas],
        get: (id: string) => (id === "v1" ? canvas : undefined),
        remove: async (id: string) => (removed.push(id), removed.length < 3),
      },
    };
    const { document: _, ...listed } = canvas;
    const ask = (id: string, identity: typeof ada, canvasId = "v1") =>
      runRoute(canvasRoutes, id, { rack, identity, params: { id: canvasId }, query: { limit: 10, offset: 0 } });
    for (const identity of [ada, identityOf("sam", "subscriber")]) {
      expect(await ask("listCanvases", identity)).toMatchObject({ body: { canvases: [listed] } });
      expect(await ask("showCanvas", identity)).toEqual({ body: canvas });
    }
    expect(await ask("listCanvases", identityOf("eve"))).toMatchObject({ body: { canvases: [] } });
    const missing = { status: 404, code: "NOT_FOUND", message: 'There is no canvas "v1".' };
    for (const id of ["showCanvas", "removeCanvas"]) {
      await expect(ask(id, identityOf("eve"))).rejects.toMatchObject(missing);
      await expect(ask(id, ada, "v2")).rejects.toMatchObject({ status: 404, message: 'There is no canvas "v2".' });
    }
    await expect(ask("removeCanvas", identityOf("sam", "subscriber"))).rejects.toMatchObject({
      status: 403,
      code: "ROLE_MISSING",
      message: '"sam" may remove its own canvases only. Those of others need the role "curator".',
    });
    expect(await ask("removeCanvas", ada)).toEqual({ status: 204 });
    expect(await ask("removeCanvas", curator)).toEqual({ status: 204 });
    await expect(ask("removeCanvas", curator)).rejects.toMatchObject(missing);
  });

  it("a worker is asked to end by its name", async () => {
    const rack = { sources: { drain: (instance: string) => instance === "gpu-1" } };
    expect(await runRoute(workerRoutes, "drainWorker", { rack, identity: admin, params: { instance: "gpu-1" } })).toEqual({
      body: { instance: "gpu-1" },
    });
    await expect(runRoute(workerRoutes, "drainWorker", { rack, identity: admin, params: { instance: "gpu-2" } })).rejects.toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      message: 'There is no worker "gpu-2". See: toolrack workers list',
    });
  });
});
