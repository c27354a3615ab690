import { createServer } from "node:http";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

/** Answers GET /celsius/20 with { "fahrenheit": 68 }. */
async function units(): Promise<string> {
  const server = createServer((request, response) => {
    const celsius = Number(request.url!.split("/").at(-1)!.split("?")[0]);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ fahrenheit: celsius * 1.8 + 32, url: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => new Promise((resolve) => server.close(resolve)));
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function open(): Promise<{ readonly server: TestServer; readonly host: string }> {
  const host = await units();
  const server = await openTestServer({ config: { tools: { packs: { utility: true }, records: { allowHosts: [host] } } } });
  afterThisTest(() => server[Symbol.asyncDispose]());
  return { server, host };
}

const description = "Converts degrees Celsius to degrees Fahrenheit.";
const create = (server: TestServer, input: object) => server.ask("POST", "/tools/tool_create/call", { input: { description, ...input } });
const call = (server: TestServer, name: string, input: object) => server.ask("POST", `/tools/${name}/call`, { input });

async function approve(server: TestServer, name: string): Promise<number> {
  const { definitions } = (await server.ask("GET", "/lifecycle")).body as { definitions: { id: string; hash: string; state: string }[] };
  const found = definitions.find(({ id }) => id === `tool-def-${name}`)!;
  expect(found.state).toBe("draft");
  await server.ask("POST", `/lifecycle/${found.id}/validate`);
  return (await server.ask("POST", `/lifecycle/${found.id}/approve`, { hash: found.hash, reason: "reviewed" })).status;
}

describe("tool_create", () => {
  // row: I14
  it("writes a draft from a template, which runs as soon as a person has approved it, and not before", async () => {
    const { server, host } = await open();
    const made = await create(server, {
      name: "to_fahrenheit",
      from: "template",
      template: "http-get",
      url: `http://${host}/celsius/{celsius}`,
      parameters: [
        { name: "celsius", type: "number", description: "Degrees Celsius." },
        { name: "digits", type: "integer", optional: true },
      ],
    });
    expect(made).toMatchObject({
      status: 200,
      body: { data: { record: { id: "tool-def-to_fahrenheit" }, next: expect.stringContaining("toolrack approve to_fahrenheit") } },
    });
    expect((await call(server, "to_fahrenheit", { celsius: 20 })).status).toBe(404);
    expect(await approve(server, "to_fahrenheit")).toBe(200);
    await until(() => server.rack.registry.has("to_fahrenheit"));
    expect((await call(server, "to_fahrenheit", { celsius: 20, digits: 1 })).body).toMatchObject({
      data: { fahrenheit: 68, url: "/celsius/20?digits=1" },
    });
    expect((await call(server, "to_fahrenheit", {})).body).toMatchObject({ code: "INPUT_INVALID" });
  });

  it("makes a tool from scratch, and a copy of a stored one with changes, as drafts of their own", async () => {
    const { server, host } = await open();
    const inputSchema = { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] };
    const implementation = { kind: "http", endpoint: `http://${host}/celsius/{celsius}` };
    expect(await create(server, { name: "one", inputSchema, implementation, tags: ["units"] })).toMatchObject({ status: 200 });
    await approve(server, "one");
    const changes = { implementation: { endpoint: `http://${host}/copy/{celsius}` } };
    expect(await create(server, { name: "two", from: "clone", clone: "one", changes })).toMatchObject({ status: 200 });
    expect((await call(server, "two", { celsius: 1 })).status).toBe(404);
    await approve(server, "two");
    await until(() => server.rack.registry.has("one") && server.rack.registry.has("two"));
    expect((await call(server, "two", { celsius: 10 })).body).toMatchObject({ data: { fahrenheit: 50, url: "/copy/10" } });
    expect((await call(server, "one", { celsius: 10 })).body).toMatchObject({ data: { url: "/celsius/10" } });
  });

  it.each<[string, object, string]>([
    [
      "a kind that nothing runs",
      { inputSchema: { type: "object" }, implementation: { kind: "wasm" } },
      "Kinds that run here: http, code, chain",
    ],
    [
      "a wrong endpoint",
      { inputSchema: { type: "object" }, implementation: { kind: "http", endpoint: "ftp://x" } },
      "Nothing here could run",
    ],
    [
      "a wrong schema",
      { inputSchema: { type: "strin" }, implementation: { kind: "http", endpoint: "https://a.example/" } },
      "Nothing here could run",
    ],
    ["nothing to begin with", {}, "give inputSchema and implementation"],
    ["a template without an address", { from: "template", template: "http-get" }, "the url"],
    ["a copy of what is not stored", { from: "clone", clone: "calculator" }, 'no stored tool "calculator"'],
    [
      "a name that another tool has",
      { name: "calculator", from: "template", template: "http-get", url: "https://a.example/" },
      '"packs" has a tool',
    ],
  ])("refuses %s, and writes nothing", async (_, input, fact) => {
    const { server } = await open();
    const refused = await create(server, { name: "fresh", ...input });
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(fact) } });
    expect((await server.ask("GET", "/breadcrumbs/tool-def-fresh")).status).toBe(404);
  });

  it("cannot approve what it makes, also for the owner, nor take the place of a stored tool", async () => {
    const { server, host } = await open();
    const input = { name: "one", from: "template", template: "http-get", url: `http://${host}/celsius/{c}` };
    await create(server, input);
    const { definitions } = (await server.ask("GET", "/lifecycle")).body as { definitions: { id: string; state: string }[] };
    expect(definitions.find(({ id }) => id === "tool-def-one")).toMatchObject({ state: "draft" });
    expect(await create(server, input)).toMatchObject({ status: 400, body: { detail: expect.stringContaining("was not written") } });
  });
});
