import { defineTool } from "@toolrack/core";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const lamp = defineTool({
  name: "lamp",
  title: "Lamp",
  version: "1.2.0",
  description: "Sets the brightness of a lamp.",
  inputSchema: { type: "object", properties: { level: { type: "integer", description: "How bright." } }, required: ["level"] },
  outputSchema: { type: "object", properties: { level: { type: "integer" } } },
  metadata: {
    category: "home",
    optionality: "optional",
    tags: ["light"],
    groups: ["house"],
    annotations: { readOnly: false, destructive: false },
    secrets: ["lamp-key"],
    configSchema: { type: "object", properties: { room: { type: "string" } } },
    needs: { hosts: ["lamp.example"] },
    when: () => true,
  },
  handler: ({ level }) => ({ level }),
});
const bell = defineTool({
  name: "bell",
  description: "Rings a bell.",
  inputSchema: { type: "object", properties: {} },
  handler: () => "ring",
});
const door = defineTool({
  name: "door",
  description: "Opens the door.",
  inputSchema: { type: "object", properties: {} },
  metadata: { secrets: ["lamp-key", "door-key"] },
  handler: () => "open",
});

/** One server for all: each test looks at what no other changes. */
let server: TestServer;
let ask: TestServer["ask"];
beforeAll(async () => {
  server = await openTestServer({
    tools: [lamp, bell, door],
    config: {
      agents: { ada: { description: "Helps.", provider: "openai", model: "gpt-5" } },
      policy: { agents: { ada: { tools: { deny: ["fail"], ask: ["bell"] } } } },
    },
  });
  ({ ask } = server);
});
afterAll(() => server[Symbol.asyncDispose]());

const bodyOf = async (path: string): Promise<any> => (await ask("GET", path)).body;

describe("a tool in a list", () => {
  it("has every fact that it states, and none that it does not", async () => {
    const { tools } = await bodyOf("/tools?all=true");
    const find = (name: string): unknown => tools.find((tool: { name: string }) => tool.name === name);
    expect(find("lamp")).toEqual({
      name: "lamp",
      title: "Lamp",
      description: "Sets the brightness of a lamp.",
      version: "1.2.0",
      category: "home",
      optionality: "optional",
      tags: ["light"],
      groups: ["house"],
      source: "tools",
      state: "needs-configuration",
      reason: expect.stringContaining("lamp-key"),
      hash: expect.any(String),
      allowed: false,
      asks: false,
      annotations: { readOnly: false, destructive: false },
      secrets: ["lamp-key"],
      configurable: true,
    });
    expect(find("bell")).toEqual({
      name: "bell",
      description: "Rings a bell.",
      source: "tools",
      state: "ready",
      hash: expect.any(String),
      allowed: true,
      asks: false,
      configurable: false,
    });
  });
});

describe("one tool", () => {
  it("is shown with its schemas, its needs as declared, its wrappers and why the caller may use it", async () => {
    const shown = await bodyOf("/tools/lamp");
    expect(shown).toMatchObject({
      name: "lamp",
      inputSchema: lamp.inputSchema,
      outputSchema: lamp.outputSchema,
      needs: { hosts: ["lamp.example"], status: "declared, not enforced" },
      wrappers: expect.any(Array),
      explanation: { name: "lamp", known: true },
    });
    expect(shown.metadata).not.toHaveProperty("when");
    const plain = await bodyOf("/tools/bell");
    for (const absent of ["outputSchema", "metadata", "needs"]) expect(plain).not.toHaveProperty(absent);
    expect(await (await server.as("cleo"))("GET", "/tools/bell")).toMatchObject({ status: 200 });
    expect((await (await server.as("cleo"))("GET", "/tools/bell")).body).not.toHaveProperty("wrappers");
    expect(await ask("GET", `/tools/${"x".repeat(200)}`)).toMatchObject({
      status: 404,
      body: { code: "TOOL_NOT_FOUND", detail: `There is no tool "${"x".repeat(140)}". List the tools to see what there is.` },
    });
    const ada = await server.as("ada");
    expect(await ada("GET", "/tools/fail")).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED", tool: "fail" } });
    expect(await ada("GET", "/tools?all=true")).toMatchObject({ status: 403, body: { code: "ROLE_MISSING" } });
  });

  it("is disabled with a reason and its origin, and enabled again", async () => {
    const off = await ask("POST", "/tools/echo/disable", { reason: "Too loud." });
    expect(off.body).toMatchObject({ name: "echo", state: "disabled", allowed: false, origin: "record setting-tools.echo v1" });
    expect(off.body.reason).toContain("Too loud.");
    const on = await ask("POST", "/tools/echo/enable");
    expect(on.body).toMatchObject({ name: "echo", state: "ready", allowed: true });
    expect(on.body).not.toHaveProperty("origin");
  });
});

describe("another caller", () => {
  it("is shown with what it may use, what asks, and how much is hidden", async () => {
    const { body } = await ask("POST", "/run-as", { caller: { agent: "ada" } });
    expect(body).toEqual({
      caller: { agent: "ada", principal: "owner", acting: true, provider: "openai", model: "gpt-5" },
      tools: ["echo", "bell"],
      asks: ["bell"],
      hidden: server.rack.registry.count - 2,
    });
    const { lines } = await bodyOf("/audit?kinds=run-as&limit=1");
    expect(lines).toMatchObject([{ subject: "ada", who: "owner", body: { caller: { agent: "ada" } } }]);
    await ask("POST", "/run-as", { caller: { channel: "mail" } });
    expect((await bodyOf("/audit?kinds=run-as&limit=1")).lines).toMatchObject([{ subject: "a stranger" }]);
  });

  it("is viewed with each tool and whether it asks", async () => {
    const view = await bodyOf(`/policy/view?caller=${JSON.stringify({ agent: "ada" })}`);
    expect(view).toMatchObject({
      caller: { agent: "ada", model: "gpt-5" },
      tools: [
        { name: "echo", asks: false },
        { name: "bell", asks: true },
      ],
    });
    expect(await bodyOf("/policy/explain?tool=bell&agent=ada")).toMatchObject({ name: "bell", allowed: true, decision: { ask: {} } });
    expect(await bodyOf(`/policy/explain?tool=fail&caller=${JSON.stringify({ agent: "ada" })}`)).toMatchObject({ allowed: false });
    const cleo = await server.as("cleo");
    const unknown = await cleo("GET", "/policy/explain?tool=bel");
    expect(unknown.body.sentences).toEqual(["No tool is named `bel` here, so no policy decides about it."]);
    expect((await ask("GET", "/policy/explain?tool=bel")).body.sentences.join(" ")).toContain("bell");
  });
});

describe("agents", () => {
  it("are listed with their facts, their policy and where both come from", async () => {
    const { agents } = await bodyOf("/agents");
    expect(agents.find(({ id }: { id: string }) => id === "ada")).toEqual({
      id: "ada",
      description: "Helps.",
      provider: "openai",
      model: "gpt-5",
      origin: "options",
      policy: { value: { tools: { deny: ["fail"], ask: ["bell"] } }, origin: "options" },
      tools: 2,
      keys: expect.any(Number),
    });
    const put = await ask("PUT", "/agents/dan", { provider: "p" });
    expect(put.body).toEqual({ id: "dan", provider: "p", origin: "record setting-agents.dan v1", tools: 3, keys: 0 });
    const own = (await (await server.as("ada"))("GET", "/agents")).body.agents;
    expect(own).toMatchObject([{ id: "ada", model: "gpt-5" }]);
    expect(own[0]).not.toHaveProperty("policy");
    expect(await ask("DELETE", "/agents/dan")).toMatchObject({ status: 204 });
    expect(await ask("DELETE", "/agents/dan")).toMatchObject({ status: 404, body: { detail: 'There is no agent "dan".' } });
  });

  it("are rows of the matrix: a letter for each tool", async () => {
    const { tools, rows } = await bodyOf("/policy/matrix");
    const ada = rows.find(({ agent }: { agent?: string }) => agent === "ada");
    const letters = Object.fromEntries(tools.map((tool: string, column: number) => [tool, ada.cells[column]]));
    expect(letters).toMatchObject({ echo: "a", bell: "?", fail: "-", lamp: "x" });
    expect(rows.at(-1)).not.toHaveProperty("agent");
    const second = await bodyOf("/policy/matrix?offset=1&limit=1");
    expect(second.rows).toEqual([rows[1]]);
    expect(second.next).toBe(rows.length > 2 ? 2 : undefined);
  });
});

describe("secrets", () => {
  it("that are missing are listed with every tool that needs them, until they are set", async () => {
    expect((await bodyOf("/secrets")).wanted).toEqual([
      { name: "lamp-key", tools: ["lamp", "door"] },
      { name: "door-key", tools: ["door"] },
    ]);
    expect(await ask("PUT", "/secrets/door-key", { value: "hunter2" })).toMatchObject({ status: 204 });
    const listed = await bodyOf("/secrets");
    expect(listed.secrets).toEqual([{ name: "door-key", version: 1, updated_at: expect.any(String), updated_by: "owner" }]);
    expect(listed.wanted).toEqual([{ name: "lamp-key", tools: ["lamp", "door"] }]);
    expect(await ask("DELETE", "/secrets/door-key")).toMatchObject({ status: 204 });
    expect(await ask("DELETE", "/secrets/door-key")).toMatchObject({ status: 404, body: { detail: 'There is no secret "door-key".' } });
  });

  it("are wrapped anew with one line in the audit, and none where nothing was done", async () => {
    const before = (await bodyOf("/audit?kinds=master-key-rewrapped")).lines.length;
    const { body } = await ask("POST", "/master-key/rewrap", {});
    expect(body).toMatchObject({ secrets: 0, otherServers: [], forgotten: { secrets: [], auditKeys: [] }, needsPreviousKeys: false });
    const changed = body.secrets + body.auditKeys + body.sharedKeys > 0 ? 1 : 0;
    expect((await bodyOf("/audit?kinds=master-key-rewrapped")).lines.length - before).toBe(changed);
  });
});

describe("a draft of the policy", () => {
  const changes = { "policy.agents.eve": { tools: { deny: ["bell"] } } };

  it("is listed, shown with its effect, applied once, and gone when it is removed", async () => {
    const made = await ask("POST", "/policy/drafts", { title: "Quiet", changes });
    expect(made).toMatchObject({ status: 201, body: { title: "Quiet", changes, createdBy: "owner", isCurrent: true } });
    const { id } = made.body;
    expect((await bodyOf("/policy/drafts")).drafts.map((draft: { id: string }) => draft.id)).toEqual([id]);
    expect(await bodyOf(`/policy/drafts/${id}`)).toMatchObject({ id, differences: expect.any(Array) });
    const stale = (await ask("POST", "/policy/drafts", { title: "Later", changes })).body.id;
    expect(await ask("POST", `/policy/drafts/${id}/apply`)).toMatchObject({
      status: 200,
      body: { settings: [{ key: "policy.agents.eve", value: changes["policy.agents.eve"] }] },
    });
    expect(await ask("POST", `/policy/drafts/${stale}/apply`)).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
    expect(await ask("DELETE", `/policy/drafts/${stale}`)).toMatchObject({ status: 204, body: undefined });
    for (const [method, path] of [
      ["GET", `/policy/drafts/${stale}`],
      ["POST", `/policy/drafts/${stale}/apply`],
      ["DELETE", `/policy/drafts/${stale}`],
    ] as const)
      expect(await ask(method, path), path).toMatchObject({ status: 404, body: { detail: `There is no draft "${stale}".` } });
  });
});

describe("usage", () => {
  it("is refused where it would have too many stretches of time", async () => {
    const invalid = { status: 400, body: { code: "REQUEST_INVALID", detail: expect.stringContaining("more than 5000 stretches") } };
    expect(await ask("GET", "/usage?from=0&to=5001000&bucketMs=1000")).toMatchObject(invalid);
    expect(await ask("GET", "/usage?from=0&to=5000000&bucketMs=1000")).toMatchObject({ status: 200, body: { tools: [] } });
    const sum = { calls: 1, errors: 0, refused: 0, invalid: 0, denied: 0, p50Ms: 1, p95Ms: 1, lastAt: 1 };
    const usageOf = (count: number): unknown => ({
      isComplete: true,
      total: { ...sum, buckets: [] },
      tools: [{ ...sum, tool: "echo", buckets: Array.from({ length: count }, (_, at) => ({ at, ...sum })) }],
    });
    const { calls } = server.rack;
    const { usage } = calls;
    try {
      Object.assign(calls, { usage: async () => usageOf(10_001) });
      expect(await ask("GET", "/usage")).toMatchObject({
        status: 400,
        body: { code: "REQUEST_INVALID", detail: expect.stringContaining("more than 10000 stretches of time of all tools") },
      });
      Object.assign(calls, { usage: async () => usageOf(10_000) });
      const { status, body } = await ask("GET", "/usage");
      expect([status, body.tools[0].buckets.length]).toEqual([200, 10_000]);
      expect(body.tools[0]).toMatchObject({ tool: "echo", errorRate: 0, lastUsed: "1970-01-01T00:00:00.001Z" });
      expect(body.tools[0].buckets[1]).toEqual({ at: 1, calls: 1, errors: 0, refused: 0, invalid: 0, denied: 0, p50Ms: 1, p95Ms: 1 });
    } finally {
      Object.assign(calls, { usage });
    }
  });
});

describe("calls", () => {
  it("are listed by tool, outcome and agent, and show the stack of a failure to curators alone, one by one", async () => {
    const cleo = await server.as("cleo");
    const reader = await server.as("reader", "subscriber");
    expect((await cleo("POST", "/tools/fail/call", {})).status).toBeGreaterThanOrEqual(400);
    await cleo("POST", "/tools/echo/call", { input: { text: "a" } });
    const { calls } = (await reader("GET", "/calls?agent=cleo")).body;
    expect(calls.map(({ tool, ok }: { tool: string; ok: boolean }) => [tool, ok])).toEqual([
      ["echo", true],
      ["fail", false],
    ]);
    expect((await reader("GET", "/calls?agent=cleo&ok=false")).body.calls).toMatchObject([{ tool: "fail", caller: { agent: "cleo" } }]);
    expect((await reader("GET", "/calls?agent=cleo&tool=echo&limit=1")).body.calls).toHaveLength(1);
    expect((await reader("GET", "/calls?agent=nobody")).body).toEqual({ calls: [] });
    const failed = calls[1];
    expect(failed.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(failed.error).not.toHaveProperty("stack");
    const shownTo = async (who: typeof reader): Promise<any> => (await who("GET", `/calls/${failed.callId}`)).body;
    expect((await shownTo(ask)).error.stack).toContain("test-tools.ts");
    for (const who of [reader, cleo]) expect((await shownTo(who)).error).not.toHaveProperty("stack");
    expect(await shownTo(reader)).toMatchObject({ callId: failed.callId, tool: "fail", children: [] });
    expect(await (await server.as("dora"))("GET", `/calls/${failed.callId}`)).toMatchObject({
      status: 404,
      body: { detail: `There is no call "${failed.callId}".` },
    });
    expect(await cleo("POST", `/calls/${failed.callId}/cancel`, {})).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
    expect(await cleo("GET", "/running")).toEqual({ status: 200, body: { calls: [] } });
  });
});

describe("what is found", () => {
  it("has its tool, its description, a score and why, and as many as are asked for", async () => {
    const { hits } = await bodyOf("/search?q=ring%20the%20bell");
    expect(hits[0]).toEqual({ tool: "bell", description: "Rings a bell.", score: expect.any(Number), why: expect.any(Array) });
    expect(hits.length).toBeLessThanOrEqual(5);
    expect((await bodyOf("/search?q=ring%20the%20bell&limit=1")).hits).toHaveLength(1);
    const listed = await bodyOf("/tools?q=ring%20the%20bell");
    expect(listed.tools[0].name).toBe("bell");
  });
});

describe("an export", () => {
  it("takes the model, strictness, examples and the bundle of the request", async () => {
    await ask("PUT", "/bundles/noise", { required: ["bell"], optional: ["echo", "ghost"] });
    expect(Object.values((await bodyOf("/exports/openai-chat?bundle=noise")).names)).toEqual(["bell", "echo"]);
    expect((await bodyOf("/exports/openai-chat?bundle=noise&strict=true")).text).toContain('"strict":true');
    expect((await bodyOf("/exports/openai-chat?bundle=noise&strict=false")).text).not.toContain('"strict":true');
    expect(await ask("GET", "/exports/openai-chat?bundle=none")).toMatchObject({
      status: 404,
      body: { detail: 'There is no bundle "none". GET /api/v1/bundles lists them.' },
    });
    const grammars = await Promise.all(
      ["gbnf", "lark", "structural-tag"].map((notation) => bodyOf(`/exports/grammars/${notation}?bundle=noise`)),
    );
    expect(grammars.map(({ notation }) => notation)).toEqual(["gbnf", "lark", "structural-tag"]);
    expect(grammars[0].grammar).toMatch(/^root ::=/);
    expect(grammars[1].grammar).toContain("start:");
    expect(JSON.parse(grammars[2].grammar)).toMatchObject({ type: "structural_tag" });
    const [plain, many, other, prose] = await Promise.all(
      ["", "&parallel=true", "&form=tool", "&text=true"].map(
        async (more) => (await bodyOf(`/exports/grammars/gbnf?bundle=noise${more}`)).grammar,
      ),
    );
    expect(new Set([plain, many, other, prose]).size).toBe(4);
    expect(await ask("DELETE", "/bundles/noise")).toMatchObject({ status: 204 });
    expect(await ask("DELETE", "/bundles/noise")).toMatchObject({ status: 404 });
  });
});

describe("keys and sign-in", () => {
  it("are made with their facts, listed without their secret, and revoked once", async () => {
    const expiresAt = Date.now() + 86_400_000;
    const made = await ask("POST", "/keys", { agent: "fay", roles: ["emitter"], description: "CI", expiresAt });
    expect(made).toMatchObject({
      status: 201,
      body: { agent: "fay", roles: ["emitter"], description: "CI", expiresAt, createdBy: "owner" },
    });
    const { id, secret } = made.body;
    const listed = (await bodyOf("/keys")).keys.find((key: { id: string }) => key.id === id);
    expect(listed).toMatchObject({ id, agent: "fay", isListed: true });
    expect(listed).not.toHaveProperty("secret");
    expect((await ask("GET", "/sign-in", undefined, { key: secret })).body).toEqual({ agent: "fay", roles: ["emitter"], via: "key" });
    expect(await ask("DELETE", "/sign-in", undefined, { key: secret })).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
    expect(await ask("DELETE", `/keys/${id}`)).toMatchObject({ status: 204 });
    expect(await ask("DELETE", `/keys/${id}`)).toMatchObject({ status: 404, body: { detail: `There is no key "${id}".` } });
    const admin = await server.as("gus", "admin");
    expect(await admin("POST", "/keys", { agent: "fay", roles: ["owner"] })).toMatchObject({ status: 403, body: { code: "ROLE_MISSING" } });
    expect((await admin("POST", "/keys", { agent: "fay" })).body).toMatchObject({ roles: [] });
  });
});

it("retention tells every limit, and null where there is none", async () => {
  const { limits } = await bodyOf("/retention");
  expect(Object.keys(limits).toSorted()).toEqual(
    [
      "revisionsPerRecord",
      "deletedDays",
      "approvalsDays",
      "tasksHours",
      "sessionsDays",
      "answersHours",
      "eventsDays",
      "auditDays",
      "auditRows",
    ].toSorted(),
  );
  for (const [name, limit] of Object.entries(server.rack.retention.limits))
    expect([name, limits[name]]).toEqual([name, Number.isFinite(limit) ? limit : null]);
});

it("the audit is filtered by kind, subject and outcome, page by page", async () => {
  await ask("PUT", "/settings/policy.agents.hal", { value: { tools: { deny: ["bell"] } } });
  const all = (await bodyOf("/audit?limit=1000")).lines;
  const numbers = all.map(({ number }: { number: number }) => number);
  expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a));
  const first = await bodyOf("/audit?limit=1");
  expect(first).toMatchObject({ lines: [{ number: numbers[0] }], next: numbers[0] });
  expect((await bodyOf(`/audit?limit=1&before=${first.next}`)).lines).toMatchObject([{ number: numbers[1] }]);
  const [{ kind, subject }] = all;
  for (const line of (await bodyOf(`/audit?kinds=${kind}&subject=${encodeURIComponent(subject)}`)).lines)
    expect(line).toMatchObject({ kind, subject });
  expect(await bodyOf("/audit/verification")).toMatchObject({ ok: true, missing: { kept: 0, unrecorded: 0 } });
  expect(await ask("GET", "/audit/verification?sinceNumber=1")).toMatchObject({ status: 400 });
});

it("a source that is not there is neither approved nor read nor removed, and a wrong one is not added", async () => {
  for (const [method, path, body] of [
    ["POST", "/sources/none/approve", { identity: "x" }],
    ["POST", "/sources/none/refresh"],
    ["DELETE", "/sources/none"],
  ] as const)
    expect(await ask(method, path, body), path).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND", detail: expect.stringContaining('There is no source "none".') },
    });
  expect(await ask("PUT", "/sources/bad", {})).toMatchObject({ status: 400, body: { code: "CONFIG_INVALID" } });
});
