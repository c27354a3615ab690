import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const processes = { programs: ["cat"] };
const definition = (name: string, implementation: object): object => ({
  schema_name: "tool.definition.v1",
  title: name,
  tags: ["tool:definition"],
  context: { name, description: "A tool.", inputSchema: { type: "object" }, implementation },
});
const write = (server: TestServer, name: string, implementation: object) =>
  server.ask("PUT", `/breadcrumbs/tool-def-${name}`, definition(name, implementation));
const lifecycle = async (server: TestServer, name: string): Promise<{ readonly state: string; readonly problem?: string }> => {
  const { definitions } = (await server.ask("GET", "/lifecycle")).body;
  return definitions.find((one: { readonly name: string }) => one.name === name);
};

describe("a definition that this server could never run", () => {
  it.each([
    ["an HTTP tool without an endpoint", { kind: "http", url: "https://api.example.com/" }, /endpoint/],
    ["an HTTP tool with a wrong method", { kind: "http", endpoint: "https://api.example.com/", method: "SEND" }, /method must be/],
    ["a program with a field that does not exist", { kind: "code", sourse: "return 1;" }, /implementation\.sourse.*"source"/],
    [
      "a process whose program is forbidden",
      { kind: "process", command: ["sh"] },
      /"sh" may not be run.*tools\.records\.processes\.programs/,
    ],
  ])("is refused when it is written: %s", async (_, implementation, sentence) => {
    await using server = await openTestServer({ config: { tools: { records: { processes } } } });
    const refusal = { status: 400, body: { code: "RECORD_INVALID", detail: expect.stringMatching(sentence) } };
    expect(await write(server, "broken", implementation)).toMatchObject(refusal);
    const emitter = await server.as("anna", "emitter");
    expect(await emitter("PUT", "/breadcrumbs/tool-def-broken", definition("broken", implementation))).toMatchObject(refusal);
    expect((await server.ask("GET", "/breadcrumbs/tool-def-broken")).status).toBe(404);
    expect((await write(server, "fine", { kind: "http", endpoint: "https://api.example.com/" })).body).not.toHaveProperty("problem");
    const patch = { context: { implementation: { ...implementation, ...(_.startsWith("an HTTP tool without") && { endpoint: null }) } } };
    expect(await server.ask("PATCH", "/breadcrumbs/tool-def-fine", patch)).toMatchObject({ status: 400 });
  });

  it.each([
    ["of an unknown kind", { kind: "wasm", module: "a.wasm" }, /kind "wasm" cannot run here/],
    ["whose handler is not here", { kind: "local", id: "elsewhere" }, /no handler "elsewhere"/],
  ])("is stored as a draft, with the reason, and is not approved: one %s", async (_, implementation, sentence) => {
    await using server = await openTestServer();
    expect(await write(server, "other", implementation)).toMatchObject({ status: 200, body: { problem: expect.stringMatching(sentence) } });
    expect(await lifecycle(server, "other")).toMatchObject({ state: "draft" });
    expect((await server.ask("GET", "/lifecycle/tool-def-other")).body.problem).toMatch(sentence);
    await server.ask("POST", "/lifecycle/tool-def-other/validate");
    const { hash } = (await server.ask("GET", "/lifecycle/tool-def-other")).body;
    expect(await server.ask("POST", "/lifecycle/tool-def-other/approve", { hash, reason: "Try" })).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(sentence) },
    });
  });

  it("but that is approved answers a call with the reason, and is named in the list of definitions", async () => {
    await using server = await openTestServer({ config: { policy: { agents: { bot: { tools: { deny: ["gone"] } } } } } });
    await server.rack.store.put(definition("gone", { kind: "wasm" }) as never);
    await until(async () => (await lifecycle(server, "gone"))?.problem !== undefined);
    expect(await lifecycle(server, "gone")).toMatchObject({ state: "approved", problem: expect.stringContaining('"wasm"') });
    const refusal = {
      status: 503,
      body: { code: "TOOL_UNAVAILABLE", detail: expect.stringMatching(/^Tool "gone" cannot run on this server: .*kind "wasm"/) },
    };
    expect(await server.ask("POST", "/tools/gone/call", { input: {} })).toMatchObject(refusal);
    expect(await server.ask("GET", "/tools/gone")).toMatchObject(refusal);
    const bot = await server.as("bot");
    expect(await bot("POST", "/tools/gone/call", { input: {} })).toMatchObject({ status: 404, body: { code: "TOOL_NOT_FOUND" } });
    await server.ask("DELETE", "/breadcrumbs/tool-def-gone");
    await until(async () => (await server.ask("POST", "/tools/gone/call", { input: {} })).status === 404);
  });
});
