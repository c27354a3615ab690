import { defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Rack } from "../src/rack/rack.ts";
import { serve, type Served } from "../src/serve.ts";

const text = "The server shut down before the call ended.";
const hanging = (name: string, annotations: Readonly<Record<string, boolean>>) =>
  defineTool({
    name,
    description: "Never ends.",
    inputSchema: { type: "object", properties: {} },
    metadata: { annotations },
    handler: () => new Promise<string>(() => {}),
  });
const tools = [hanging("pay", {}), hanging("look", { readOnly: true }), hanging("put", { idempotent: true })];

let folder: string;
let rack: Rack;
let served: Served;
beforeEach(async () => {
  folder = temporaryFolder();
  rack = await openTestRack({ folder, config: {}, tools });
  served = await serve(rack, { port: 0, consoleFolder: false });
});
afterEach(() => served.close({ graceMs: 0 }));

function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const own = { "content-type": "application/json", authorization: `Bearer ${rack.ownerToken.text}` };
  return fetch(`${served.url}${path}`, { method: "POST", body: JSON.stringify(body), headers: { ...own, ...headers } });
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const overMcp = (name: string, accept: string): Promise<Response> =>
  post(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {}, _meta: meta } },
    { accept, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  );

/** The lines of the calls, as the next server on the store reads them. */
async function recorded(): Promise<readonly unknown[]> {
  const next = await openTestRack({ folder, config: {} });
  return (await next.calls.list()).map(({ tool, code, error }) => [tool, code, error?.message, error?.retryable]).sort();
}

describe("a call that a shutdown cuts", () => {
  it("RC2: says so over HTTP and in the audit, and may be made again where that does no harm", async () => {
    const calls = ["pay", "look", "put"].map((name) => post(`/api/v1/tools/${name}/call`, {}));
    await until(() => rack.calls.open().length === 3, "The calls did not start.");
    await served.close({ graceMs: 0 });
    const answers = await Promise.all(calls);
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as object[];
    for (const body of bodies) expect(body).toMatchObject({ code: "ABORTED", detail: text });
    expect(bodies[0]).not.toHaveProperty("retryable");
    expect(bodies.slice(1)).toMatchObject([{ retryable: true }, { retryable: true }]);
    expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual([null, "1", "1"]);
    expect(await recorded()).toEqual([
      ["look", "ABORTED", text, true],
      ["pay", "ABORTED", text, false],
      ["put", "ABORTED", text, true],
    ]);
  });

  it("RC2: says so to whoever follows it as events", async () => {
    const answer = await post("/api/v1/tools/look/call", {}, { accept: "text/event-stream" });
    await until(() => rack.calls.open().length === 1, "The call did not start.");
    const events = answer.text();
    await served.close({ graceMs: 0 });
    expect(await events).toContain(text);
  });

  it.each(["application/json, text/event-stream"])("RC2: says so over MCP: %s", async (accept) => {
    const calls = ["pay", "look"].map((name) => overMcp(name, accept));
    await until(() => rack.calls.open().length === 2, "The calls did not start.");
    await served.close({ graceMs: 0 });
    const [pay, look] = await Promise.all((await Promise.all(calls)).map((answer) => answer.text()));
    for (const answer of [pay, look]) {
      expect(answer).toContain(text);
      expect(answer).toContain('"isError":true');
      expect(answer).toContain('"toolrack/code":"ABORTED"');
    }
    expect(look).toContain('"toolrack/retryable":true');
    expect(pay).not.toContain("toolrack/retryable");
    expect(await recorded()).toEqual([
      ["look", "ABORTED", text, true],
      ["pay", "ABORTED", text, false],
    ]);
  });

  it("RC2: says so where a rack is closed without a server", async () => {
    const call = rack.call("look", {}, { caller: { agent: "ada" } });
    await until(() => rack.calls.open().length === 1, "The call did not start.");
    await rack.close({ graceMs: 0 });
    expect(await call.result).toMatchObject({ code: "ABORTED", error: text, retryable: true });
  });
});
