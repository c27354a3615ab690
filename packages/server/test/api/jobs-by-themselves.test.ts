import { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { configChangeRoutes } from "../../src/api/config-changes.ts";
import { grantRoutes } from "../../src/api/grants.ts";
import { hookRoutes } from "../../src/api/hooks.ts";
import { jobRoutes } from "../../src/api/jobs.ts";
import { identityOf, partOf, runRoute } from "./_run-route.ts";

const ada = identityOf("ada");
const admin = identityOf("boss", "admin");
const curator = identityOf("carol", "curator");

const needed = {
  id: "j1",
  kind: "call",
  state: "waiting",
  subject: "echo",
  origin: "call",
  createdAt: 1,
  dueAt: 2,
  attempt: 0,
  failed: 0,
  tries: 3,
};
const stored = { ...needed, caller: { agent: "ada", principal: "key ada" }, isCancelling: false };
const { isCancelling: _, ...shown } = stored;

describe("jobs", () => {
  function rackWith(job: object | undefined, answers: Record<string, unknown> = {}) {
    const { part, asked } = partOf({ get: async () => job, audit: undefined, ...answers });
    const view = () => ({
      tools: [],
      decision: () => undefined,
      decisionAbout: ({ name }: { name: string }) => ({ allowed: name === "echo" }),
    });
    return {
      rack: { jobs: part, audit: part.audit, registry: { view, has: () => true, get: () => ({}) }, settings: { get: () => undefined } },
      asked,
    };
  }
  const show = async (job: object, identity = curator): Promise<unknown> =>
    ((await runRoute(jobRoutes, "showJob", { ...rackWith(job), identity, params: { id: "j1" } })) as { body: unknown }).body;

  it("have every fact that there is, and none that there is not", async () => {
    expect(await show(stored)).toEqual(shown);
    expect(await show({ ...needed, isCancelling: false })).toEqual(needed);
    const facts = { startedAt: 3, endedAt: 4, callId: "c-1", error: { code: "X", message: "y" } };
    const contents = { key: "k", input: { a: 1 }, progress: { done: 1 }, result: { ok: true } };
    expect(await show({ ...stored, ...facts, ...contents, holder: "server-1/42", isCancelling: true })).toEqual({
      ...shown,
      ...facts,
      ...contents,
      server: "server-1",
      isCancelling: true,
    });
    expect(await show({ ...stored, holder: "server-1/4x" })).toMatchObject({ server: "server-1/4x" });
  });

  it("are shown to who made them and to who sees all", async () => {
    expect(await show(stored, ada)).toEqual(shown);
    for (const [job, identity] of [
      [stored, identityOf("eve")],
      [needed, ada],
      [undefined, curator],
      [{ ...stored, subject: "hidden" }, ada],
    ] as const)
      await expect(runRoute(jobRoutes, "showJob", { ...rackWith(job), identity, params: { id: "j1" } })).rejects.toMatchObject({
        status: 404,
        code: "NOT_FOUND",
        message: 'There is no job "j1". See: toolrack jobs list',
      });
  });

  it("are listed by what is asked for, page by page, without those of others and of hidden tools", async () => {
    const others = [
      { ...stored, id: "j2", caller: { agent: "eve", principal: "key eve" } },
      { ...stored, id: "j3", subject: "hidden" },
      { ...stored, id: "j4", subject: "hidden", kind: "delivery" },
    ];
    const { rack, asked } = rackWith(stored, { list: async ({ limit }: { limit: number }) => [stored, ...others].slice(0, limit) });
    const list = (query: object) => runRoute(jobRoutes, "listJobs", { rack, identity: ada, query });
    expect(await list({ limit: 50 })).toEqual({ body: { jobs: [shown, { ...shown, id: "j4", subject: "hidden", kind: "delivery" }] } });
    expect(await list({ limit: 1, state: "waiting", origin: "call", after: "j0" })).toMatchObject({ body: { jobs: [shown], next: "j1" } });
    expect(asked[0]).toEqual(["list", { limit: expect.any(Number) }]);
    expect(asked[1]).toEqual(["list", { state: "waiting", origin: "call", after: "j0", limit: expect.any(Number) }]);
  });

  it("are waited for as long as is asked, until the client leaves", async () => {
    const { rack, asked } = rackWith(stored, { waitFor: undefined });
    const { signal } = new AbortController();
    expect(await runRoute(jobRoutes, "waitForJob", { rack, identity: ada, params: { id: "j1" }, query: { timeoutMs: 5 }, signal })).toEqual(
      { body: shown },
    );
    expect(asked).toEqual([
      ["get", "j1"],
      ["waitFor", "j1", { timeoutMs: 5, signal }],
      ["get", "j1"],
    ]);
  });

  it.each([
    ["cancelJob", "cancel", "job-cancelled"],
    ["runJob", "retry", "job-run"],
    ["replayJob", "replay", "job-replayed"],
  ])("are changed by who made them and by curators, which is written down: %s", async (id, method, kind) => {
    const params = { id: "j1" };
    for (const identity of [ada, curator]) {
      const { rack, asked } = rackWith(stored, { [method]: { ok: true } });
      expect(await runRoute(jobRoutes, id, { rack, identity, params })).toEqual({ body: shown });
      expect(asked).toEqual([
        ["get", "j1"],
        [method, "j1"],
        ["audit", { kind, subject: "j1", by: identity, body: { tool: "echo", caller: stored.caller } }],
        ["get", "j1"],
      ]);
    }
    const refused = async (job: object, identity: typeof ada, change: unknown = { ok: true }): Promise<unknown> => {
      const { rack, asked } = rackWith(job, { [method]: change });
      const problem = await runRoute(jobRoutes, id, { rack, identity, params }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(asked.filter(([name]) => name === "audit")).toEqual([]);
      return problem;
    };
    const subscriber = identityOf("sam", "subscriber");
    expect(await refused(stored, subscriber)).toMatchObject({
      status: 403,
      code: "ROLE_MISSING",
      message: '"sam" may change its own jobs only. Those of others need the role "curator".',
    });
    const delivery = { ...needed, kind: "delivery", isCancelling: false };
    expect(await refused(delivery, curator)).toMatchObject({
      status: 403,
      message: '"carol" may change its own jobs only. Deliveries of webhooks need the role "admin".',
    });
    expect(await refused(stored, ada, { ok: false, code: "state", message: "It is done." })).toMatchObject({
      status: 409,
      code: "STATE_INVALID",
      message: "It is done.",
    });
    expect(await refused(stored, ada, { ok: false, code: "unknown", message: "Gone." })).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      message: "Gone.",
    });
  });
});

describe("webhooks that are taken", () => {
  const info = { name: "h1" };
  const rackWith = (answers: Record<string, unknown>) => {
    const { part, asked } = partOf(answers);
    return { rack: { automation: { receivers: part } }, asked };
  };

  it("are listed, added, given a new secret and removed in the name of who asks", async () => {
    const is = (id: string) => (id === "h1" ? info : undefined);
    const { rack, asked } = rackWith({ list: [info], add: info, rotate: is, remove: (id: string) => id === "h1" });
    const run = (id: string, more: object) => runRoute(hookRoutes, id, { rack, identity: admin, ...more });
    expect(await run("listHooks", {})).toEqual({ body: { hooks: [info] } });
    expect(await run("addHook", { body: { name: "h1", tool: "echo", agent: "bot" } })).toEqual({ status: 201, body: info });
    expect(await run("rotateHookSecret", { params: { id: "h1" }, body: { overlapHours: 0.5 } })).toEqual({ body: info });
    expect(await run("rotateHookSecret", { params: { id: "h1" }, body: {} })).toEqual({ body: info });
    expect(await run("removeHook", { params: { id: "h1" } })).toEqual({ status: 204 });
    expect(asked).toEqual([
      ["list"],
      ["add", "h1", { tool: "echo", agent: "bot" }, admin],
      ["rotate", "h1", 1_800_000, admin],
      ["rotate", "h1", 86_400_000, admin],
      ["remove", "h1", admin],
    ]);
    for (const id of ["rotateHookSecret", "removeHook"])
      await expect(run(id, { params: { id: "h2" }, body: {} })).rejects.toMatchObject({
        status: 404,
        code: "NOT_FOUND",
        message: 'There is no hook "h2". See: toolrack hooks list',
      });
  });

  it("become a job, or say what was wrong with the request", async () => {
    const taken = rackWith({ receive: { ok: true, job: "j1" } });
    const body = new Uint8Array([1]);
    expect(await runRoute(hookRoutes, "receiveWebhook", { ...taken, params: { name: "h1" }, body })).toEqual({
      status: 202,
      body: { job: "j1" },
    });
    expect(taken.asked).toEqual([["receive", "h1", { header: expect.any(Function), body }]]);
    for (const [code, status, named] of [
      ["refused", 401, "SIGN_IN_REFUSED"],
      ["large", 413, "BODY_TOO_LARGE"],
      ["wrong", 422, "INPUT_INVALID"],
      ["full", 429, "TOO_MANY_REQUESTS"],
    ] as const)
      await expect(
        runRoute(hookRoutes, "receiveWebhook", {
          ...rackWith({ receive: { ok: false, code, message: "Why." } }),
          params: { name: "h1" },
          body,
        }),
      ).rejects.toMatchObject({ status, code: named, message: "Why." });
  });
});

describe("grants and changes of the configuration", () => {
  it("a grant is given as it was asked for, and taken back once", async () => {
    const { part, asked } = partOf({ add: { id: "g1" }, revoke: (id: string) => (id === "g1" ? { id } : undefined) });
    const rack = { grants: part };
    const body = { tool: "web/fetch", print: "p", reason: "It reads.", days: 3 };
    expect(await runRoute(grantRoutes, "addGrant", { rack, identity: admin, body })).toEqual({ body: { id: "g1" } });
    expect(await runRoute(grantRoutes, "revokeGrant", { rack, identity: admin, params: { id: "g1" } })).toEqual({ body: { id: "g1" } });
    await expect(runRoute(grantRoutes, "revokeGrant", { rack, identity: admin, params: { id: "g2" } })).rejects.toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      message: 'There is no grant "g2". See: toolrack grants list',
    });
    expect(asked).toEqual([
      ["add", body, admin],
      ["revoke", "g1", admin],
      ["revoke", "g2", admin],
    ]);
    const failing = (error: Error) => ({
      grants: {
        add: async () => {
          throw error;
        },
      },
    });
    await expect(
      runRoute(grantRoutes, "addGrant", { rack: failing(new ToolError("TOOL_NOT_FOUND", "None.")), identity: admin, body }),
    ).rejects.toMatchObject({
      status: 404,
      code: "TOOL_NOT_FOUND",
      message: "None.",
    });
    await expect(runRoute(grantRoutes, "addGrant", { rack: failing(new Error("broken")), identity: admin, body })).rejects.toThrow(
      "broken",
    );
  });

  it("a change of the file is approved by its digest, and only while it waits", async () => {
    const waiting = { digest: "d1", changes: [] };
    const approve = async (
      pending: readonly (object | undefined)[],
      digest = "d1",
      approved: object | undefined = { digest: "d1", changes: ["a"] },
    ) => {
      const given: unknown[] = [];
      let look = 0;
      const configChanges = {
        pending: () => pending[Math.min(look++, pending.length - 1)],
        approve: async (...of: unknown[]) => (given.push(of), approved),
        afterRestart: () => ["server.port"],
      };
      return {
        answer: await runRoute(configChangeRoutes, "approveConfig", { rack: { configChanges }, identity: admin, body: { digest } }),
        given,
      };
    };
    expect(await approve([waiting, undefined])).toEqual({
      answer: { body: { approved: { digest: "d1", changes: ["a"] }, restart: ["server.port"] } },
      given: [["d1", admin]],
    });
    const later = { digest: "d2", changes: [] };
    const { answer } = await approve([waiting, later], "d1", null as never);
    expect(answer).toEqual({ body: { approved: waiting, pending: later, restart: ["server.port"] } });
    await expect(approve([undefined])).rejects.toMatchObject({
      status: 409,
      code: "STATE_INVALID",
      message: "No change of the configuration waits for approval. See what holds with: toolrack config status.",
    });
    await expect(approve([waiting], "d0")).rejects.toMatchObject({
      status: 409,
      code: "STATE_INVALID",
      message: "The configuration has changed since: its digest is d1 now. Look at it again, and approve that one.",
    });
  });
});
