import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createRegistry, defineTool } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { createMemoryStore, importFromFolder } from "@toolrack/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRack } from "../../../src/rack/open.ts";
import { serve } from "../../../src/serve.ts";

const anything = defineTool({
  name: "take",
  description: "Takes anything.",
  inputSchema: { type: "object" },
  handler: () => "taken",
});

type Verdict = "read" | RegExp;

/** The bytes of one JSON object, and what every surface does with it. */
const documents: readonly (readonly [name: string, bytes: Buffer, verdict: Verdict])[] = [
  ["a plain object", Buffer.from('{"a":1,"b":[9007199254740991,0.5,1e21]}'), "read"],
  ["equal keys in different objects", Buffer.from('{"a":{"a":1},"b":{"a":2}}'), "read"],
  ["text beyond ASCII", Buffer.from('{"a":"é 中 🙂"}'), "read"],
  ["a key twice", Buffer.from('{"a":1,"a":2}'), /"a", which occurs twice/],
  ["a key twice, one of them escaped", Buffer.from('{"a":1,"\\u0061":2}'), /"a", which occurs twice/],
  ["a key twice, far inside", Buffer.from('{"x":[{"y":{"b":1,"b":1}}]}'), /"b", which occurs twice/],
  ["a whole number beyond 2^53", Buffer.from('{"a":9007199254740993}'), /9007199254740993, which cannot be represented exactly/],
  ["a number beyond every double", Buffer.from('{"a":1e400}'), /1e400, which cannot be represented exactly/],
  ["a byte that is not UTF-8", Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]), /not valid UTF-8/],
  ["a surrogate as UTF-8", Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]), /not valid UTF-8/],
  ["a comma too many", Buffer.from('{"a":1,}'), /not valid JSON/],
];

/** Puts the bytes of a document into the place of "@". */
function around(frame: string, document: Buffer): Buffer {
  const [before = "", after = ""] = frame.split("@");
  return Buffer.concat([Buffer.from(before), document, Buffer.from(after)]);
}

async function openServer(): Promise<string> {
  const rack = await openRack({
    environment: {},
    tools: [anything],
    config: { store: { memory: true }, tools: { packs: { utility: false, sessions: false } } },
  });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  onTestFinished(() => served.close({ graceMs: 0 }));
  return served.url;
}

async function post(url: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<{ status: number; text: string }> {
  const accept = "application/json, text/event-stream";
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json", accept, ...headers }, body });
  return { status: answer.status, text: await answer.text() };
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`;
const modernCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"take","arguments":@,${meta}}}`;
const legacyCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"take","arguments":@}}`;
const modernHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "take" };

/** What a surface says about a document: "" where it read it. */
const surfaces: Readonly<Record<string, (document: Buffer) => Promise<string>>> = {
  async "a body of the API"(document) {
    const { status, text } = await post(`${await openServer()}/api/v1/tools/take/call`, around('{"input":@}', document));
    expect([200, 400]).toContain(status);
    return status === 200 ? "" : (JSON.parse(text) as { detail: string }).detail;
  },
  async "a query that holds JSON"(document) {
    const encoded = [...document].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    const where = `${encodeURIComponent('[{"path":"context.a","op":"eq","value":')}${encoded}${encodeURIComponent("}]")}`;
    const answer = await fetch(`${await openServer()}/api/v1/breadcrumbs?where=${where}`);
    const { code, detail = "" } = (await answer.json()) as { code?: string; detail?: string };
    return code === "REQUEST_INVALID" ? detail : "";
  },
  async "MCP over HTTP"(document) {
    const { status, text } = await post(`${await openServer()}/mcp`, around(modernCall, document), modernHeaders);
    return status === 200 ? "" : demandParseError(text);
  },
  async "MCP over HTTP, of an older client"(document) {
    const { status, text } = await post(`${await openServer()}/mcp`, around(legacyCall, document));
    return status === 200 ? "" : demandParseError(text);
  },
  async "MCP over a fetch handler"(document) {
    const endpoint = await openEndpoint();
    const body = new Uint8Array(around(modernCall, document));
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...modernHeaders };
    const answer = await endpoint.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
    return answer.status === 200 ? "" : demandParseError(await answer.text());
  },
  async "MCP over stdio"(document) {
    const endpoint = await openEndpoint();
    const input = new PassThrough();
    const output = new PassThrough();
    void endpoint.stdio({ input, output });
    input.write(Buffer.concat([around(modernCall, document), Buffer.from("\n")]));
    const text = await new Promise<string>((resolve) => output.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8"))));
    return text.includes('"result"') ? "" : demandParseError(text);
  },
  async "a file that is imported"(document) {
    const folder = await mkdtemp(join(tmpdir(), "toolrack-reader-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "note.json"), around('{"id":"note","schema_name":"note.v1","context":@}', document));
    const { problems } = await importFromFolder(createMemoryStore(), folder);
    return problems.join(" ");
  },
};

async function openEndpoint(): Promise<ReturnType<typeof serveMcp>> {
  const registry = createRegistry();
  registry.register(anything);
  const endpoint = serveMcp(registry);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

function demandParseError(text: string): string {
  const json = text.startsWith("{") ? text : text.slice(text.indexOf("{"));
  const { error } = JSON.parse(json) as { error: { code: number; message: string } };
  expect(error.code).toBe(-32_700);
  return error.message;
}

describe.each(Object.entries(surfaces))("SD15: %s", (_surface, read) => {
  it.each(documents)("has the one verdict about %s", async (_name, bytes, verdict) => {
    const said = await read(bytes);
    if (verdict === "read") expect(said).toBe("");
    else expect(said).toMatch(verdict);
  });
});
