import { createRegistry, defineTool } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { approveDefinition, definitionHash, listAudit, validateDefinition } from "@toolrack/store";
import { readAllEvents } from "@toolrack/testkit/events";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  metadata: { category: "utility", annotations: { readOnly: true } },
  handler: ({ a, b }) => ({ sum: a + b }),
});
const exec = defineTool({
  name: "exec",
  description: "Pretends to run a program.",
  inputSchema: { type: "object", properties: { command: { type: "string" } } },
  handler: () => "ran",
});
const memory = { memory: true } as const;

function names(body: { tools: { name: string }[] }): string[] {
  return body.tools.map(({ name }) => name);
}

describe("tools over HTTP", () => {
  it("are the tools that are registered once for the library (C12)", async () => {
    const { ask, rack } = serverOver(await openTestRack({ tools: [add] }));
    const listed = await ask("GET", "/tools");
    expect(names(listed.body)).toContain("add");
    expect(rack.registry.list()).toContain(add);
    const shown = listed.body.tools.find(({ name }: { name: string }) => name === "add");
    expect(shown).toMatchObject({ category: "utility", source: "tools", state: "ready", allowed: true, asks: false });
    const called = await ask("POST", "/tools/add/call", { input: { a: 1, b: 2 } });
    expect(called).toMatchObject({ status: 200, body: { ok: true, data: { sum: 3 } } });
  });

  // row: B6
  it("blame the tool and the field where the input is wrong", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [add] }));
    const refused = await ask("POST", "/tools/add/call", { input: { a: "one", b: 2 } });
    expect(refused).toMatchObject({ status: 400, body: { code: "INPUT_INVALID", tool: "add", issues: [{ path: "/a" }] } });
    expect(refused.body.callId).toMatch(/^[0-9a-z]{9}[\w-]{24}$/);
    expect(await ask("POST", "/tools/ad/call", { input: {} })).toMatchObject({ status: 404, body: { code: "TOOL_NOT_FOUND" } });
  });

  // row: C22
  it("can be switched off and on while a conversation runs, and say where that is set (C22)", async () => {
    const { ask, as, rack } = serverOver(await openTestRack({ tools: [add] }));
    const agent = await as("helper");
    const curator = await as("boss", "curator");
    expect(names((await agent("GET", "/tools")).body)).toContain("add");
    const off = await curator("POST", "/tools/add/disable", { reason: "It is being mended." });
    expect(off.body).toMatchObject({ state: "disabled", reason: "It is being mended.", origin: "record setting-tools.add v1" });
    expect(names((await agent("GET", "/tools")).body)).not.toContain("add");
    expect(await agent("POST", "/tools/add/call", { input: { a: 1, b: 2 } })).toMatchObject({ status: 403 });
    const late = await rack.call("add", { a: 1, b: 2 }, { caller: { agent: "helper" } }).result;
    expect(late.ok || late.error).toContain("It is being mended.");
    expect(await agent("POST", "/tools/add/enable")).toMatchObject({ status: 403, body: { code: "ROLE_MISSING" } });
    await curator("POST", "/tools/add/enable");
    expect(await agent("POST", "/tools/add/call", { input: { a: 1, b: 2 } })).toMatchObject({ status: 200 });
    expect((await ask("GET", "/tools")).status).toBe(200);
  });

  // row: E13
  it("that the policy hides are refused with 403 when a call is forged, and the attempt is in the log (E13)", async () => {
    const config = { store: memory, policy: { agents: { helper: { tools: { deny: ["exec"] } } } } };
    const { as, rack } = serverOver(await openTestRack({ tools: [add, exec], config }));
    const agent = await as("helper");
    expect(names((await agent("GET", "/tools")).body)).not.toContain("exec");
    const forged = await agent("POST", "/tools/exec/call", { input: { command: "id" } });
    expect(forged).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED", tool: "exec" } });
    expect(forged.body.detail).toContain("agents.helper.tools.deny");
    expect(forged.body.detail).not.toContain("add");
    expect(await rack.calls.show(forged.body.callId)).toMatchObject({
      tool: "exec",
      ok: false,
      code: "TOOL_NOT_ALLOWED",
      caller: { agent: "helper" },
    });
    expect(await agent("GET", "/tools/exec")).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    expect(await agent("GET", "/tools?all=true")).toMatchObject({ status: 403 });
    const curator = await as("boss", "curator");
    const all = await curator("GET", '/tools?all=true&runAs={"agent":"helper"}');
    expect(all.status).toBe(403);
    const admin = await as("root", "admin");
    const seen = await admin("GET", `/tools?all=true&runAs=${encodeURIComponent('{"agent":"helper"}')}`);
    expect(seen.body.tools.find(({ name }: { name: string }) => name === "exec")).toMatchObject({ allowed: false });
  });

  it("are none for a caller that the configuration does not list, and the list says why", async () => {
    const policy = { unknownAgents: "deny", agents: { ann: {} }, phases: { plan: ["add"] } } as const;
    const { ask } = serverOver(await openTestRack({ config: { store: memory, policy }, tools: [add] }));
    const listedFor = async (caller: object) => (await ask("GET", `/tools?runAs=${encodeURIComponent(JSON.stringify(caller))}`)).body;
    const nobody = 'The configuration does not list the agent "bob"';
    expect(await listedFor({ agent: "bob" })).toMatchObject({ tools: [], note: expect.stringContaining(nobody) });
    const nowhere = 'The policy lists no phase "gone"';
    expect(await listedFor({ agent: "ann", phase: "gone" })).toMatchObject({ tools: [], note: expect.stringContaining(nowhere) });
    const planned = await listedFor({ agent: "ann", phase: "plan" });
    expect([names(planned), planned.note]).toEqual([["add"], undefined]);
  });

  // row: F26
  it("stream started, progress and result, in this order, when asked for events (F26)", async () => {
    const steps = defineTool({
      name: "steps",
      description: "Works in three steps.",
      inputSchema: { type: "object", properties: {} },
      async handler(_input, context) {
        for (const progress of [1, 2, 3]) {
          context.progress({ progress, total: 3 });
          await turns(1);
        }
        return "done";
      },
    });
    const { request } = serverOver(await openTestRack({ tools: [steps] }));
    const response = await request("POST", "/api/v1/tools/steps/call", { body: { input: {} }, headers: { accept: "text/event-stream" } });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = await readAllEvents(response);
    expect(events.map(({ event }) => event)).toEqual(["started", "progress", "progress", "progress", "result"]);
    expect(events.slice(1, 4).map(({ data }) => (data as { progress: number }).progress)).toEqual([1, 2, 3]);
    expect(events.at(-1)!.data).toMatchObject({ ok: true, content: "done" });
  });

  it("stream what an async generator yields, and end with its whole text", async () => {
    const words = defineTool({
      name: "words",
      description: "Says words.",
      inputSchema: { type: "object", properties: {} },
      async *handler() {
        yield "one ";
        yield "two";
      },
    });
    const { request } = serverOver(await openTestRack({ tools: [words] }));
    const response = await request("POST", "/api/v1/tools/words/call", { body: { input: {} }, headers: { accept: "text/event-stream" } });
    const events = await readAllEvents(response);
    expect(events.slice(1, -1)).toMatchObject([
      { event: "progress", data: { message: "one " } },
      { event: "progress", data: { message: "two" } },
    ]);
    expect(events.at(-1)).toMatchObject({ event: "result", data: { ok: true, content: "one two" } });
  });

  // row: F19
  it("run once for one idempotency key, and answer the same (F19)", async () => {
    let runs = 0;
    const count = defineTool({ name: "count", description: "Counts.", inputSchema: { type: "object" }, handler: () => ({ run: ++runs }) });
    const { ask } = serverOver(await openTestRack({ tools: [count] }));
    const headers = { "idempotency-key": "k-1" };
    const first = await ask("POST", "/tools/count/call", { input: { a: 1 } }, { headers });
    const second = await ask("POST", "/tools/count/call", { input: { a: 1 } }, { headers });
    expect(second).toEqual(first);
    expect(runs).toBe(1);
    const other = await ask("POST", "/tools/count/call", { input: { a: 2 } }, { headers });
    expect(other).toMatchObject({ status: 400, body: { code: "INPUT_INVALID" } });
    const both = await Promise.all(
      [1, 2, 3].map(() => ask("POST", "/tools/count/call", { input: {} }, { headers: { "idempotency-key": "k-2" } })),
    );
    expect(new Set(both.map(({ body }) => body.data.run))).toEqual(new Set([2]));
  });

  it("of stored definitions can be called after an approval, without a restart (E18)", async () => {
    const { ask, rack } = serverOver(await openTestRack({ handlers: { greet: () => "hello" } }));
    const author = rack.store.as({ owner: "local", agent: "author", roles: ["emitter"] });
    await author.put({
      schema_name: "tool.definition.v1",
      context: { name: "greet", description: "Greets somebody.", inputSchema: { type: "object", properties: {} } },
    });
    expect(await ask("POST", "/tools/greet/call", {})).toMatchObject({ status: 404 });
    expect(await validateDefinition(rack.store, "tool-def-greet")).toMatchObject({ ok: true });
    const hash = definitionHash((await rack.store.get("tool-def-greet"))!);
    await approveDefinition(rack.store, "tool-def-greet", { reason: "It is friendly.", hash });
    await until(() => rack.registry.has("greet"));
    expect(await ask("POST", "/tools/greet/call", {})).toMatchObject({ status: 200, body: { content: "hello" } });
    expect((await listAudit(rack.store)).map(({ kind }) => kind)).toContain("approved");
  });
});

describe("limits of the configuration", () => {
  // row: E19
  it("refuse the fourth call in a minute of three, and say when to come again (E19)", async () => {
    const { request } = serverOver(
      await openTestRack({
        tools: [add],
        config: { store: memory, limits: { rate: [{ calls: 3, perMs: 60_000, tool: "add" }] } },
      }),
    );
    const call = (): Promise<Response> => request("POST", "/api/v1/tools/add/call", { body: { input: { a: 1, b: 1 } } });
    for (let count = 0; count < 3; count++) expect((await call()).status).toBe(200);
    const fourth = await call();
    expect(fourth.status).toBe(429);
    expect(Number(fourth.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await fourth.json()).toMatchObject({ code: "RATE_LIMITED", tool: "add" });
  });

  // row: E20
  it("let a tool rest after its third failure, show it, and try it again after the pause (E20)", async () => {
    let works = false;
    const shaky = defineTool({
      name: "shaky",
      description: "Fails for a while.",
      inputSchema: { type: "object" },
      handler() {
        if (!works) throw new Error("not yet");
        return "fine";
      },
    });
    const limits = { circuitBreaker: { failures: 3, coolDownMs: 150 } };
    const { ask } = serverOver(await openTestRack({ tools: [shaky], config: { store: memory, limits } }));
    for (let count = 0; count < 3; count++) expect((await ask("POST", "/tools/shaky/call", {})).body.code).toBe("TOOL_FAILED");
    expect((await ask("POST", "/tools/shaky/call", {})).body.code).toBe("CIRCUIT_OPEN");
    const listed = await ask("GET", "/tools");
    expect(listed.body.tools.find(({ name }: { name: string }) => name === "shaky").state).toBe("resting");
    works = true;
    await until(async () => (await ask("POST", "/tools/shaky/call", {})).status === 200);
    expect((await ask("GET", "/tools/shaky")).body.state).toBe("ready");
  });

  // row: E22
  it("refuse the call after the last one of a run's budget, and name the budget (E22)", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [add], config: { store: memory, limits: { callsPerRun: 25 } } }));
    const call = (run: string): ReturnType<typeof ask> => ask("POST", "/tools/add/call", { input: { a: 1, b: 1 }, run });
    for (let count = 0; count < 25; count++) expect((await call("turn-1")).status).toBe(200);
    const over = await call("turn-1");
    expect(over).toMatchObject({ status: 429, body: { code: "BUDGET_EXCEEDED" } });
    expect(over.body.detail).toContain("25");
    expect((await call("turn-2")).status).toBe(200);
  });
});

describe("secrets and named fields", () => {
  // row: E21
  it("never leave in a result, an error, the log of calls or an event (E21)", async () => {
    const planted = "p1anted-s3cret-value";
    const leak = defineTool({
      name: "leak",
      description: "Gives away what it knows.",
      inputSchema: { type: "object", properties: { how: { type: "string" } } },
      metadata: { secrets: ["KEY"] },
      async handler({ how }, context) {
        const key = await context.secret("KEY");
        context.progress({ message: "reading" });
        if (how === "throw") throw new Error(`The key is ${key}.`);
        return { text: `key=${key}`, password: "hunter2-and-more", nested: [{ pin: "1234-5678" }] };
      },
    });
    const config = { store: memory, redaction: { fields: ["pin"] } };
    const { ask, rack, request } = serverOver(await openTestRack({ tools: [leak], config }));
    await rack.secrets.set("KEY", planted);
    const heard: unknown[] = [];
    rack.registry.subscribe((event) => heard.push(event));
    const answers = [
      await ask("POST", "/tools/leak/call", { input: {} }),
      await ask("POST", "/tools/leak/call", { input: { how: "throw" } }),
      await readAllEvents(
        await request("POST", "/api/v1/tools/leak/call", { body: { input: {} }, headers: { accept: "text/event-stream" } }),
      ),
      await ask("GET", "/calls"),
      heard,
      await listAudit(rack.store),
    ];
    const text = JSON.stringify(answers);
    expect(text).toContain("leak");
    for (const value of [planted, "hunter2-and-more", "1234-5678"]) expect(text).not.toContain(value);
  });
});

describe("a registry of its own", () => {
  it("explains a refused tool in the same words as HTTP does (E14)", async () => {
    const policy = { agents: { helper: { tools: { deny: ["exec"] } } } };
    const { as } = serverOver(await openTestRack({ tools: [add, exec], config: { store: memory, policy } }));
    const agent = await as("helper");
    const registry = createRegistry({ policy: readPolicyConfig(policy) });
    registry.register(exec);
    const [verdict] = registry.explain("exec", { agent: "helper" }).sentences;
    const explained = (await agent("GET", "/policy/explain?tool=exec")).body;
    expect(explained).toMatchObject({
      allowed: false,
      decision: { step: "agent", rule: "deny", entry: "exec", label: "agents.helper.tools.deny" },
    });
    expect(explained.sentences[0].replace(" (options)", "")).toBe(verdict);
  });
});

describe("a search for tools", () => {
  it("finds by words, the best first, and nothing that the caller may not see", async () => {
    const { as } = serverOver(
      await openTestRack({
        tools: [add, exec],
        config: { store: memory, policy: { agents: { helper: { tools: { deny: ["exec"] } } } } },
      }),
    );
    const [agent, other] = await Promise.all([as("helper"), as("other")]);
    expect(names((await agent("GET", "/tools?q=add%20two%20numbers&limit=1")).body)).toEqual(["add"]);
    expect(names((await other("GET", "/tools?q=run%20a%20program")).body)[0]).toBe("exec");
    expect(names((await agent("GET", "/tools?q=run%20a%20program")).body)).not.toContain("exec");
  });
});
