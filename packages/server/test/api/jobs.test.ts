import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

let release: () => void = () => undefined;

const slow = defineTool({
  name: "slow",
  description: "Waits until it is told to go on.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  handler: async ({ text = "" }: { text?: string }, context) => {
    context.progress({ message: "half", progress: 1, total: 2 });
    await new Promise<void>((resolve, reject) => {
      release = resolve;
      context.signal.addEventListener("abort", () => reject(context.signal.reason as Error));
    });
    return { text };
  },
});
const fails = defineTool({
  name: "fails",
  description: "Fails always.",
  inputSchema: { type: "object", properties: {} },
  handler: () => {
    throw new Error("never works");
  },
});
const hello = defineTool({
  name: "hello",
  description: "Greets.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  metadata: { annotations: { readOnly: true } },
  handler: ({ name }, { caller }) => `Hello ${String(name)}, I am ${caller.agent ?? "nobody"}`,
});
const tools = [slow, fails, hello];

describe("a call as a job", () => {
  it("answers at once with the job's id, reports its progress, and has the result later", async () => {
    await using server = await openTestServer({ tools });
    const anna = await server.as("anna");
    const made = await anna("POST", "/tools/slow/call", { input: { text: "x" }, mode: "job" });
    expect(made).toMatchObject({ status: 202, body: { ok: true, data: { job: { state: "waiting" } } } });
    const { id } = made.body.data.job;
    expect(made.body.content).toContain(id);
    await until(async () => (await anna("GET", `/jobs/${id}`)).body.progress?.message === "half");
    const running = (await anna("GET", `/jobs/${id}`)).body;
    expect(running).toMatchObject({ state: "running", subject: "slow", origin: "call", input: { text: "x" }, caller: { agent: "anna" } });
    expect((await anna("GET", "/running")).body.calls).toMatchObject([{ callId: running.callId, tool: "slow" }]);
    release();
    const ended = await anna("GET", `/jobs/${id}/wait?timeoutMs=60000`);
    expect(ended.body).toMatchObject({ state: "done", result: { ok: true, data: { text: "x" } }, attempt: 1 });
    expect((await anna("GET", `/calls/${ended.body.callId}`)).body).toMatchObject({ tool: "slow", ok: true, caller: { agent: "anna" } });
    expect((await anna("GET", "/jobs")).body.jobs).toMatchObject([{ id, state: "done" }]);
  });

  it("is made once for each Idempotency-Key", async () => {
    await using server = await openTestServer({ tools });
    const make = (name = "A") =>
      server.ask("POST", "/tools/hello/call", { input: { name }, mode: "job" }, { headers: { "idempotency-key": "k" } });
    const [one, other] = [await make(), await make()];
    expect(one.body.data.job.id).toBe(other.body.data.job.id);
    expect(await make("B")).toMatchObject({ status: 400, body: { code: "INPUT_INVALID" } });
    expect((await server.ask("GET", "/jobs")).body.jobs).toHaveLength(1);
  });

  it("is cancelled, run again and listed among the dead, each with a line in the audit", async () => {
    await using server = await openTestServer({ tools });
    const { id } = (await server.ask("POST", "/tools/slow/call", { mode: "job" })).body.data.job;
    await until(async () => (await server.ask("GET", `/jobs/${id}`)).body.state === "running");
    expect((await server.ask("POST", `/jobs/${id}/cancel`)).status).toBe(200);
    expect((await server.ask("GET", `/jobs/${id}/wait`)).body).toMatchObject({ state: "cancelled", error: { code: "ABORTED" } });
    expect(await server.ask("POST", `/jobs/${id}/cancel`)).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
    const dying = (await server.ask("POST", "/tools/fails/call", { mode: "job" })).body.data.job.id;
    await server.ask("GET", `/jobs/${dying}/wait`);
    const dead = (await server.ask("GET", "/jobs?state=dead")).body.jobs;
    expect(dead).toMatchObject([{ id: dying, subject: "fails", error: { code: "TOOL_FAILED" } }]);
    expect((await server.ask("POST", `/jobs/${dying}/replay`)).body).toMatchObject({ id: dying, failed: 0 });
    expect((await server.ask("GET", `/jobs/${dying}/wait`)).body).toMatchObject({ state: "dead", attempt: 2 });
    const kinds = (await server.ask("GET", "/audit")).body.lines.map((line: { kind: string }) => line.kind);
    expect(kinds).toEqual(expect.arrayContaining(["job-made", "job-cancelled", "job-replayed"]));
  });

  it("has the time limit and the addressee that the call was made with", async () => {
    await using server = await openTestServer({ tools });
    const made = await server.ask("POST", "/tools/slow/call", { mode: "job", timeoutMs: 50 });
    const ended = (await server.ask("GET", `/jobs/${made.body.data.job.id}/wait`)).body;
    expect(ended).toMatchObject({ state: "dead", error: { code: "TIMEOUT" } });
    const forUser = await server.ask("POST", "/tools/hello/call", { input: { name: "A" }, mode: "job", deliver: "user" });
    const shown = (await server.ask("GET", `/jobs/${forUser.body.data.job.id}/wait`)).body;
    expect(shown).toMatchObject({ state: "done", result: { content: "Shown to the user." } });
  });

  it("is not there for others", async () => {
    await using server = await openTestServer({ tools });
    const [anna, bob] = [await server.as("anna"), await server.as("bob")];
    const { id } = (await anna("POST", "/tools/hello/call", { input: { name: "A" }, mode: "job" })).body.data.job;
    expect((await bob("GET", "/jobs")).body.jobs).toEqual([]);
    for (const [method, path] of [
      ["GET", `/jobs/${id}`],
      ["GET", `/jobs/${id}/wait`],
      ["POST", `/jobs/${id}/cancel`],
      ["POST", `/jobs/${id}/replay`],
      ["POST", `/jobs/${id}/run`],
    ] as const)
      expect(await bob(method, path)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await server.ask("GET", `/jobs/${id}`)).status).toBe(200);
  });

  it("does not let others wait for its end, from which they would know that there is one", async () => {
    await using server = await openTestServer({ tools });
    const [anna, bob] = [await server.as("anna"), await server.as("bob")];
    const { id } = (await anna("POST", "/tools/slow/call", { mode: "job" })).body.data.job;
    const running = async (): Promise<boolean> => (await anna("GET", `/jobs/${id}`)).body.state === "running";
    await until(running);
    expect((await bob("GET", `/jobs/${id}/wait?timeoutMs=300000`)).status).toBe(404);
    expect(await running()).toBe(true);
    await anna("POST", `/jobs/${id}/cancel`);
  });

  it("is seen by whoever sees all, and changed by its caller and by curators alone", async () => {
    await using server = await openTestServer({ tools });
    const [anna, viewer, curator] = [
      await server.as("anna"),
      await server.as("viewer", "subscriber"),
      await server.as("curator", "curator"),
    ];
    const { id } = (await anna("POST", "/tools/fails/call", { mode: "job" })).body.data.job;
    await anna("GET", `/jobs/${id}/wait`);
    expect((await viewer("GET", `/jobs/${id}`)).body).toMatchObject({ state: "dead" });
    for (const action of ["cancel", "run", "replay"])
      expect(await viewer("POST", `/jobs/${id}/${action}`)).toMatchObject({ status: 403, body: { code: "ROLE_MISSING" } });
    expect((await anna("GET", `/jobs/${id}`)).body).toMatchObject({ state: "dead", attempt: 1 });
    expect((await curator("POST", `/jobs/${id}/replay`)).status).toBe(200);
  });

  it("is not there any more for a caller whose policy hides its tool by then", async () => {
    await using server = await openTestServer({ tools });
    const anna = await server.as("anna");
    const { id } = (await anna("POST", "/tools/hello/call", { input: { name: "A" }, mode: "job" })).body.data.job;
    expect((await anna("GET", `/jobs/${id}/wait`)).body).toMatchObject({ state: "done" });
    await server.rack.settings.set("policy.agents.anna", { tools: { deny: ["hello"] } }, "test");
    expect((await anna("GET", "/jobs")).body.jobs).toEqual([]);
    expect(await anna("GET", `/jobs/${id}`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await server.ask("GET", `/jobs/${id}`)).status).toBe(200);
  });

  it("is refused for a tool that the caller may not use, and for one that does not exist", async () => {
    await using server = await openTestServer({ tools, config: { policy: { agents: { anna: { tools: { deny: ["slow"] } } } } } });
    const anna = await server.as("anna");
    expect(await anna("POST", "/tools/slow/call", { mode: "job" })).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    expect(await anna("POST", "/tools/none/call", { mode: "job" })).toMatchObject({ status: 404, body: { code: "TOOL_NOT_FOUND" } });
    expect((await server.ask("GET", "/jobs")).body.jobs).toEqual([]);
  });
});
