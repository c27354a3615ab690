import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const mail = defineTool({
  name: "read_mail",
  description: "Reads the newest mail.",
  inputSchema: { type: "object", properties: {} },
  outputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  metadata: { annotations: { openWorld: true } },
  handler: () => ({ text: "hello" }),
});
const note = defineTool({
  name: "note",
  description: "Notes a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
  outputSchema: { type: "object", properties: { noted: { type: "string" } }, required: ["noted"] },
  handler: ({ text }) => ({ noted: text }),
});
const vault = defineTool({
  name: "vault",
  description: "Opens the vault.",
  inputSchema: { type: "object", properties: {} },
  metadata: { ownerOnly: true },
  handler: () => ({ gold: 5 }),
});

async function open(): Promise<TestServer> {
  const server = await openTestServer({ config: { tools: { packs: { utility: true } } }, tools: [mail, note, vault] });
  afterThisTest(() => server[Symbol.asyncDispose]());
  return server;
}

const definition = (name: string, chain: object, more: object = {}) => ({
  schema_name: "tool.definition.v1",
  title: name,
  tags: ["tool:definition"],
  context: {
    name,
    description: `Is the tool ${name}.`,
    inputSchema: { type: "object", properties: {} },
    implementation: { kind: "chain", ...chain },
    ...more,
  },
});
const put = (server: TestServer, name: string, chain: object, more?: object) =>
  server.ask("PUT", `/breadcrumbs/tool-def-${name}`, definition(name, chain, more));
const call = (server: TestServer, name: string, input: object = {}) => server.ask("POST", `/tools/${name}/call`, { input });

async function store(server: TestServer, name: string, chain: object, more?: object): Promise<void> {
  const { status, body } = await put(server, name, chain, more);
  expect([status, body.detail]).toEqual([200, undefined]);
  await until(() => server.rack.registry.has(name));
}

const randomSum = {
  steps: [
    { id: "a", tool: "random", input: { min: 3, max: 3 } },
    { id: "b", tool: "random", input: { min: "${input.low}", max: "${input.low}" } },
    { id: "sum", tool: "calculator", input: { expression: "${a.numbers[0]} + ${b.numbers[0]}" } },
  ],
  returnStep: "sum",
};
const low = { inputSchema: { type: "object", properties: { low: { type: "integer" } }, required: ["low"], additionalProperties: false } };

describe("a tool that is stored as a chain", () => {
  // row: F17
  it("adds two random numbers with the calculator, in one trace", async () => {
    const server = await open();
    await store(server, "random_sum", randomSum, low);
    const { body } = await call(server, "random_sum", { low: 4 });
    expect(body).toMatchObject({ data: { result: 7 } });
    const inner = (await server.rack.calls.list()).filter(({ parentCallId }) => parentCallId === body.meta.callId);
    expect(inner.map(({ tool }) => tool).toSorted()).toEqual(["calculator", "random", "random"]);
    expect((await call(server, "random_sum", {})).body).toMatchObject({ code: "INPUT_INVALID" });
  });

  it("is made by tool_create as a draft from a template, and runs once it is approved", async () => {
    const server = await open();
    const made = await call(server, "tool_create", {
      name: "note_mail",
      description: "Notes what the newest mail says.",
      from: "template",
      template: "chain",
      steps: [
        { id: "mail", tool: "read_mail" },
        { id: "note", tool: "note", input: { text: "It says ${mail.text} to ${input.who}" } },
      ],
      parameters: [{ name: "who" }],
    });
    expect(made.status).toBe(200);
    expect((await call(server, "note_mail", { who: "Ann" })).status).toBe(404);
    const { definitions } = (await server.ask("GET", "/lifecycle")).body;
    const { id, hash } = definitions.find(({ name }: { name: string }) => name === "note_mail");
    await server.ask("POST", `/lifecycle/${id}/validate`);
    expect((await server.ask("POST", `/lifecycle/${id}/approve`, { hash, reason: "reviewed" })).status).toBe(200);
    await until(() => server.rack.registry.has("note_mail"));
    expect((await call(server, "note_mail", { who: "Ann" })).body).toMatchObject({ data: { noted: "It says hello to Ann" } });
    const [noted] = (await server.rack.calls.list()).filter(({ tool }) => tool === "note");
    expect(noted?.labels).toEqual({ "/text": ["untrusted"] });
  });

  it.each<[string, object, string]>([
    [
      "a circle",
      {
        steps: [
          { id: "a", tool: "note", input: { text: "${b.noted}" } },
          { id: "b", tool: "note", input: { text: "${a.noted}" } },
        ],
      },
      'Step "a": "a" waits for "b" waits for "a"',
    ],
    [
      "an unknown step",
      { steps: [{ id: "a", tool: "note", input: { text: "${b.noted}" } }] },
      'Step "a": ${b.noted} refers to "b", which is not a step.',
    ],
    ["an unknown tool", { steps: [{ id: "a", tool: "noet", input: {} }] }, 'Step "a": there is no tool "noet". Did you mean "note"?'],
    [
      "a field that the producer does not answer",
      {
        steps: [
          { id: "a", tool: "read_mail" },
          { id: "b", tool: "note", input: { text: "${a.body}" } },
        ],
      },
      'Step "b": ${a.body}: the result of "read_mail" has no field "body"; its fields are "text".',
    ],
    [
      "a field of another type",
      {
        steps: [
          { id: "a", tool: "random" },
          { id: "b", tool: "note", input: { text: "${a.numbers}" } },
        ],
      },
      'Step "b": input.text is a list (${a.numbers}), and "note" takes a text there.',
    ],
    [
      "an input that nobody declared",
      { steps: [{ id: "a", tool: "note", input: { text: "${input.who}" } }] },
      'the input of the chain has no field "who"',
    ],
    ["a missing input", { steps: [{ id: "a", tool: "note" }] }, "text"],
    [
      "a secret",
      { steps: [{ id: "a", tool: "note", input: { text: "${secret.key}" } }] },
      "Secrets, settings and variables do not exist in a chain",
    ],
    [
      "a field that has no effect",
      { steps: [{ id: "a", tool: "read_mail" }], timeout: 5 },
      "implementation.timeout is not a field of this kind.",
    ],
  ])("is refused with %s, before anything runs", async (_, chain, fact) => {
    const server = await open();
    const { status, body } = await put(server, "wrong", chain);
    expect([status, body.detail]).toEqual([400, expect.stringContaining(fact)]);
    expect((await server.rack.calls.list()).length).toBe(0);
  });

  // row: F16
  it("calls its tools as its caller: what the caller may not call fails at its step", async () => {
    const server = await open();
    await store(server, "rob", {
      steps: [
        { id: "open", tool: "vault" },
        { id: "tell", tool: "note", input: { text: "${open.gold} pieces" } },
      ],
    });
    expect((await call(server, "rob")).body).toMatchObject({ data: { noted: "5 pieces" } });
    const visitor = await server.as("visitor");
    const refused = await visitor("POST", "/tools/rob/call", { input: {} });
    const direct = await visitor("POST", "/tools/vault/call", { input: {} });
    expect(direct).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    expect(refused.body).toMatchObject({ code: "TOOL_FAILED", detail: `Step "open": ${direct.body.detail} (from vault)` });
    expect((await server.rack.calls.list()).filter(({ tool, ok }) => tool === "vault" && ok).length).toBe(1);
  });

  it("waits while a step waits for a person, and goes on with the answer; a refusal fails the step", async () => {
    const server = await openTestServer({
      config: { tools: { packs: { utility: true } }, policy: { tools: { ask: ["note"] } } },
      tools: [mail, note, vault],
    });
    afterThisTest(() => server[Symbol.asyncDispose]());
    await store(server, "note_mail", {
      steps: [
        { id: "mail", tool: "read_mail" },
        { id: "note", tool: "note", input: { text: "${mail.text}" }, retries: 3 },
      ],
    });
    const answer = async (approved: boolean): Promise<unknown> => {
      const running = call(server, "note_mail");
      const waiting = async () => (await server.rack.approvals.list()).filter(({ tool }) => tool === "note");
      await until(async () => (await waiting()).length === 1);
      const { id, digest } = (await waiting())[0]!;
      await server.rack.approvals.decide(id, { approved, scope: "once", digest, by: "anna" });
      return (await running).body;
    };
    expect(await answer(true)).toMatchObject({ data: { noted: "hello" } });
    expect(await answer(false)).toMatchObject({ code: "TOOL_FAILED", detail: expect.stringContaining('Step "note": ') });
    expect((await server.rack.calls.list()).filter(({ tool, ok }) => tool === "note" && ok).length).toBe(1);
  });

  it("stays when one of its tools is gone, and says so when it runs", async () => {
    const server = await open();
    await store(server, "noted", { steps: [{ id: "a", tool: "note", input: { text: "x" } }] });
    await server.ask("POST", "/tools/note/disable", {});
    expect((await call(server, "noted")).body).toMatchObject({ code: "TOOL_FAILED", detail: expect.stringContaining("note") });
    await server.ask("POST", "/tools/note/enable");
    expect((await call(server, "noted")).body).toMatchObject({ data: { noted: "x" } });
  });

  it("is exported with its steps, and imported and approved together with a stored tool that it calls", async () => {
    const server = await open();
    const code = { implementation: { kind: "code", source: "return { text: `<${input.text}>` };" }, inputSchema: note.inputSchema };
    expect((await put(server, "z_wrap", {}, code)).status).toBe(200);
    await until(() => server.rack.registry.has("z_wrap"));
    await store(server, "a_chain", { steps: [{ id: "a", tool: "z_wrap", input: { text: "x" } }] });
    const { records } = (await server.ask("GET", "/records/export")).body;
    const target = await open();
    const imported = await target.ask("POST", "/records/import", { records: records.toReversed(), approve: { reason: "moved" } });
    expect(imported.body).toMatchObject({ problems: [] });
    await until(() => target.rack.registry.has("a_chain") && target.rack.registry.has("z_wrap"));
    expect((await call(target, "a_chain")).body).toMatchObject({ data: { text: "<x>" } });
  });
});
