import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const object = { type: "object", properties: {} } as const;
const number = (name: string) => ({ type: "object", properties: { [name]: { type: "number" } }, required: [name] }) as const;
const double = defineTool({
  name: "double",
  description: "Doubles a number.",
  inputSchema: number("n"),
  outputSchema: number("n"),
  handler: ({ n }) => ({ n: (n as number) * 2 }),
});
const vault = defineTool({
  name: "vault",
  description: "Opens the vault.",
  inputSchema: object,
  metadata: { ownerOnly: true },
  handler: () => ({ gold: 5 }),
});
const other = defineTool({ name: "other", description: "Is not listed.", inputSchema: object, handler: () => ({ other: true }) });

async function open(): Promise<TestServer> {
  const server = await openTestServer({ config: { tools: { packs: { utility: true } } }, tools: [double, vault, other] });
  afterThisTest(() => server[Symbol.asyncDispose]());
  return server;
}

interface Stored {
  readonly name: string;
  readonly source: string;
  readonly tools?: readonly string[];
  readonly more?: object;
}

const definition = ({ name, source, tools = [], more }: Stored) => ({
  schema_name: "tool.definition.v1",
  title: name,
  tags: ["tool:definition"],
  context: { name, description: `Is the tool ${name}.`, inputSchema: object, implementation: { kind: "code", source, tools }, ...more },
});

/** Stores it as the owner, which approves it. */
async function store(server: TestServer, stored: Stored): Promise<void> {
  const put = await server.ask("PUT", `/breadcrumbs/tool-def-${stored.name}`, definition(stored));
  expect([put.status, put.body.detail]).toEqual([200, undefined]);
  await until(() => server.rack.registry.has(stored.name));
}
const call = (server: TestServer, name: string, input: object = {}) => server.ask("POST", `/tools/${name}/call`, { input });

async function approve(server: TestServer, name: string): Promise<{ status: number; body: any }> {
  const { definitions } = (await server.ask("GET", "/lifecycle")).body;
  const { id, hash } = definitions.find((one: { name: string }) => one.name === name);
  await server.ask("POST", `/lifecycle/${id}/validate`);
  return server.ask("POST", `/lifecycle/${id}/approve`, { hash, reason: "reviewed" });
}

const hostile: readonly (readonly [string, string])[] = [
  ["reads a file", 'return require("node:fs").readFileSync("/etc/passwd", "utf8");'],
  ["imports a module", 'const fs = await import("node:fs"); return fs;'],
  ["opens a socket", 'return await fetch("http://127.0.0.1:1/");'],
  ["starts a process", 'return process.binding("spawn_sync");'],
  ["reaches for the host through a constructor", 'return [].constructor.constructor("return process")();'],
  ["compiles text", 'return eval("1");'],
  ["reads the environment", "return process.env.PATH;"],
  ["fills the memory", 'let s = "x"; for (;;) s += s;'],
  ["fills the memory with lists", "const all = []; for (;;) all.push(new Array(1000).fill(0));"],
  ["never ends", "for (;;) {}"],
  ["calls itself without end", "const f = () => f(); return f();"],
  ["answers too much", 'return "x".repeat(200_000);'],
];

describe("a tool that is stored as code", () => {
  // row: I14
  it("is made by tool_create as a draft, and runs as soon as a person has approved it, over HTTP and MCP", async () => {
    const server = await open();
    const made = await call(server, "tool_create", {
      name: "to_fahrenheit",
      description: "Converts degrees Celsius to degrees Fahrenheit.",
      from: "template",
      template: "code",
      source: "return { fahrenheit: input.celsius * 1.8 + 32 };",
      parameters: [{ name: "celsius", type: "number", description: "Degrees Celsius." }],
      outputSchema: number("fahrenheit"),
    });
    expect(made.body).toMatchObject({
      data: { record: { id: "tool-def-to_fahrenheit" }, next: expect.stringContaining("toolrack approve") },
    });
    expect((await call(server, "to_fahrenheit", { celsius: 20 })).status).toBe(404);
    expect((await approve(server, "to_fahrenheit")).status).toBe(200);
    await until(() => server.rack.registry.has("to_fahrenheit"));
    expect((await call(server, "to_fahrenheit", { celsius: 20 })).body).toMatchObject({ data: { fahrenheit: 68 } });
    expect((await call(server, "to_fahrenheit", { celsius: "warm" })).body).toMatchObject({ code: "INPUT_INVALID" });
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "to_fahrenheit", arguments: { celsius: 100 } } };
    const overMcp = await server.request("POST", "/mcp", { body: message, headers: { accept: "application/json, text/event-stream" } });
    expect(await overMcp.text()).toContain('"fahrenheit":212');
  });

  it("is made anew or as a copy, too, each as a draft of its own", async () => {
    const server = await open();
    const base = { description: "Counts upwards from a number.", inputSchema: number("n") };
    const implementation = { kind: "code", source: "return { n: input.n + 1 };" };
    expect((await call(server, "tool_create", { ...base, name: "one", implementation })).status).toBe(200);
    await approve(server, "one");
    const changes = { implementation: { source: "return { n: input.n + 2 };" } };
    expect((await call(server, "tool_create", { ...base, name: "two", from: "clone", clone: "one", changes })).status).toBe(200);
    expect((await call(server, "two", { n: 1 })).status).toBe(404);
    await approve(server, "two");
    await until(() => server.rack.registry.has("one") && server.rack.registry.has("two"));
    expect((await call(server, "one", { n: 1 })).body.data).toEqual({ n: 2 });
    expect((await call(server, "two", { n: 1 })).body.data).toEqual({ n: 3 });
  });

  // row: C21
  it("has its output checked like any tool", async () => {
    const server = await open();
    await store(server, { name: "wrong", source: 'return { n: "many" };', more: { outputSchema: number("n") } });
    expect((await call(server, "wrong")).body).toMatchObject({
      meta: { warnings: ['The output of tool "wrong" does not match its output schema: /n must be a number.'] },
    });
  });

  // row: F15
  it("calls the tools that it lists, as its caller, in one trace, and has no token or variable", async () => {
    const server = await open();
    await store(server, {
      name: "quadruple",
      source: "const { n } = await tools.double({ n: input.n }); return await tools.double({ n });",
      tools: ["double"],
      more: { inputSchema: number("n") },
    });
    const { body } = await call(server, "quadruple", { n: 3 });
    expect(body).toMatchObject({ data: { n: 12 } });
    const calls = (await server.rack.calls.list()).filter(({ parentCallId }) => parentCallId === body.meta.callId);
    expect(calls.map(({ tool }) => tool)).toEqual(["double", "double"]);
    for (const name of ["process", "globalThis", "require", "fetch", "Deno", "Bun", "context", "ctx", "env", "secret"]) {
      const put = await server.ask(
        "PUT",
        `/breadcrumbs/tool-def-probe_${name}`,
        definition({ name: `probe_${name}`, source: `return typeof ${name};` }),
      );
      if (put.status === 400) continue;
      await until(() => server.rack.registry.has(`probe_${name}`));
      expect([name, (await call(server, `probe_${name}`)).body.content]).toEqual([name, "undefined"]);
    }
  });

  // row: F16
  it("reaches the listed tools that its caller may call, and no other", async () => {
    const server = await open();
    await store(server, { name: "peek", source: "return Object.keys(tools).concat(typeof tools.other);", tools: ["double", "vault"] });
    await store(server, { name: "rob", source: "return await tools.vault({});", tools: ["vault"] });
    await store(server, { name: "stray", source: 'return await tools["oth" + "er"]({});', tools: ["double"] });
    expect((await call(server, "rob")).body).toMatchObject({ data: { gold: 5 } });
    const visitor = await server.as("visitor");
    const refused = await visitor("POST", "/tools/rob/call", { input: {} });
    expect(refused.body).toMatchObject({ code: "TOOL_FAILED" });
    expect(refused.body.detail).toContain("vault");
    expect((await call(server, "stray")).body).toMatchObject({ code: "TOOL_FAILED", detail: expect.stringContaining("There is no tool") });
    expect((await server.rack.calls.list()).filter(({ tool, ok }) => tool === "vault" && ok).length).toBe(1);
  });

  it("stops at the depth limit where it calls itself without end", async () => {
    const server = await open();
    await store(server, { name: "loop", source: "return await tools.loop({});", tools: ["loop"] });
    expect((await call(server, "loop")).body).toMatchObject({ code: "TOOL_FAILED", detail: expect.stringMatching(/deep|depth/) });
  });

  // row: F14
  it("fails each time it reaches for files, network, processes or the host, or takes too much, and the server goes on", async () => {
    const server = await open();
    for (const [index, [what, source]] of hostile.entries()) {
      const name = `hostile_${index}`;
      const put = await server.ask("PUT", `/breadcrumbs/tool-def-${name}`, definition({ name, source }));
      if (put.status === 200) {
        await until(() => server.rack.registry.has(name));
        expect([what, (await call(server, name)).body.code]).toEqual([what, "TOOL_FAILED"]);
      } else {
        expect([what, put.body.detail]).toEqual([what, expect.stringMatching(/implementation\.source:\d+:\d+: /)]);
        expect(server.rack.registry.has(name)).toBe(false);
      }
    }
    expect((await call(server, "double", { n: 1 })).body).toMatchObject({ data: { n: 2 } });
  });

  it("is refused with line, column and the way out where it does not parse, however it is written", async () => {
    const server = await open();
    const bad = definition({ name: "bad", source: "const a = 1;\nreturn class { #x = 1 };" });
    const expected = expect.stringMatching(/Tool "bad": its program cannot run\.\nimplementation\.source:2:\d+: .*#x/s);
    expect(await server.ask("PUT", "/breadcrumbs/tool-def-bad", bad)).toMatchObject({ status: 400, body: { detail: expected } });
    expect(await server.ask("POST", "/breadcrumbs", bad)).toMatchObject({ status: 400, body: { detail: expected } });
    const { inputSchema, implementation } = bad.context;
    const made = await call(server, "tool_create", { name: "bad", description: "Does not parse.", inputSchema, implementation });
    expect(made).toMatchObject({ status: 400, body: { detail: expect.stringContaining("implementation.source:2:") } });
    const imported = await server.ask("POST", "/records/import", { records: [bad] });
    expect(imported.body).toMatchObject({ created: 0, problems: [{ problem: expected }] });
    await store(server, { name: "bad", source: "return 1;" });
    const patch = { context: { implementation: { source: "return (" } } };
    expect(await server.ask("PATCH", "/breadcrumbs/tool-def-bad", patch)).toMatchObject({ status: 400 });
    expect((await call(server, "bad")).body).toMatchObject({ content: "1" });
  });

  it("may name only tools that exist, when it is approved", async () => {
    const server = await open();
    const put = definition({ name: "typo", source: "return await tools.duble({ n: 1 });", tools: ["duble"] });
    expect(await server.ask("PUT", "/breadcrumbs/tool-def-typo", put)).toMatchObject({
      status: 400,
      body: { detail: 'Tool "typo": implementation.tools names "duble", which is not a tool here. Did you mean "double"?' },
    });
    const author = await server.as("author", "emitter");
    expect((await author("PUT", "/breadcrumbs/tool-def-typo", put)).status).toBe(200);
    expect(await approve(server, "typo")).toMatchObject({ body: { detail: expect.stringContaining('names "duble"') } });
  });

  it("needs a new approval when its code or its tools change", async () => {
    const server = await open();
    await store(server, { name: "steady", source: "return 1;", tools: ["double"] });
    for (const change of [{ source: "return 2;" }, { tools: ["double", "vault"] }]) {
      const { version } = (await server.ask("GET", "/breadcrumbs/tool-def-steady")).body;
      const next = definition({ name: "steady", source: "return 1;", tools: ["double"], ...change });
      const put = await server.ask("PUT", "/breadcrumbs/tool-def-steady", next, { headers: { "if-match": `"${version}"` } });
      expect(put.status).toBe(200);
      await until(() => !server.rack.registry.has("steady"));
      expect((await call(server, "steady")).status).toBe(404);
      expect((await approve(server, "steady")).status).toBe(200);
      await until(() => server.rack.registry.has("steady"));
    }
  });

  it("is exported with its code, and imported as a draft", async () => {
    const server = await open();
    await store(server, { name: "moved", source: "return { moved: true };" });
    const { records } = (await server.ask("GET", "/records/export")).body;
    const target = await open();
    expect((await target.ask("POST", "/records/import", { records })).body).toMatchObject({ problems: [] });
    expect((await call(target, "moved")).status).toBe(404);
    await approve(target, "moved");
    await until(() => target.rack.registry.has("moved"));
    expect((await call(target, "moved")).body).toMatchObject({ data: { moved: true } });
  });
});
