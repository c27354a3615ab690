import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { run, type RunOptions } from "../_run.ts";

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (url: string, words: readonly string[], options: Partial<RunOptions> = {}) =>
  run(["--url", url, ...words], { folder: temporaryFolder(), environment: { TOOLRACK_KEY: "trk_x" }, ...options });

const toolrack = { "toolrack-api": "v1", "content-type": "application/json" };

describe("a server that sends the command elsewhere", () => {
  it.each([301, 302, 303, 307, 308])("is not followed with %i: nothing reaches the other one", async (status) => {
    const arrived: string[] = [];
    const other = await listen(async (request, response) => {
      arrived.push(`${request.method} ${await text(request)}`);
      response.writeHead(200, toolrack).end("{}");
    });
    const first = await listen((request, response) => void response.writeHead(status, { location: `${other}${request.url}` }).end());
    const ended = await ask(first, ["secrets", "set", "bank"], { input: "the value" });
    expect(arrived).toEqual([]);
    expect(ended).toMatchObject({ code: 5, output: "" });
    expect(ended.errors).toBe(
      `${first} redirects to ${other}, and redirects are not followed. If that is the server, name it: --url ${other}\n`,
    );
  });

  it("is told without a place where it names none", async () => {
    const first = await listen((_, response) => void response.writeHead(302, { location: "http://[" }).end());
    expect((await ask(first, ["keys"])).errors).toBe(
      `${first} redirects to another address, and redirects are not followed. Check the URL.\n`,
    );
  });
});

describe("a file of a client that names another server", () => {
  it("does not get the key of the environment sent there, though it accepts the key of its entry", async () => {
    const arrived: unknown[] = [];
    const other = await listen((request, response) => {
      arrived.push([request.method, request.headers.authorization]);
      response.writeHead(200, toolrack).end('{"via":"key"}');
    });
    const own = `trk_${"0".repeat(16)}_${"x".repeat(43)}`;
    const entry = { url: `${other}/mcp`, headers: { Authorization: `Bearer ${own}` } };
    const folder = temporaryFolder({ "mcp.json": JSON.stringify({ mcpServers: { toolrack: entry } }) });
    const words = ["connect", "cursor", "--file", `${folder}/mcp.json`, "--undo"];
    const ended = await ask("http://127.0.0.1:1", words, { folder, environment: { TOOLRACK_KEY: "trk_admin" } });
    expect(arrived).toEqual([["GET", `Bearer ${own}`]]);
    expect(ended).toMatchObject({ code: 1, errors: expect.stringContaining("was not revoked, and may still be valid") });
  });
});

describe("an address that is more than an address", () => {
  it("is refused with a password, which is not repeated", async () => {
    const ended = await ask("http://anna:hunter2@127.0.0.1:1", ["keys"]);
    expect(ended.code).toBe(2);
    expect(ended.errors).toMatch(/^The address of the server has a name or a password in it\. .*TOOLRACK_KEY/);
    expect(ended.errors).not.toContain("hunter2");
  });

  it.each(["?tenant=a", "#top"])("is refused with %s, behind which no path can stand", async (end) => {
    const ended = await ask(`http://127.0.0.1:1/${end}`, ["keys"]);
    expect(ended.code).toBe(2);
    expect(ended.errors).toContain(`"http://127.0.0.1:1/${end}" is not the address of a server`);
  });

  it("is named with its variable where that has it", async () => {
    const ended = await run(["keys"], { folder: temporaryFolder(), environment: { TOOLRACK_URL: "" } });
    expect(ended).toMatchObject({ code: 2, errors: expect.stringMatching(/^"" in TOOLRACK_URL is not the address of a server/) });
  });
});

describe("a key that is none", () => {
  it.each(["trk_hidden\nKey hidden for anna.", "“trk_hidden”", "trk_hid den"])("is not sent, and not shown: %j", async (key) => {
    const arrived: unknown[] = [];
    const url = await listen((request, response) => {
      arrived.push(request.url);
      response.writeHead(200, toolrack).end("{}");
    });
    const ended = await ask(url, ["keys"], { environment: { TOOLRACK_KEY: key } });
    expect(arrived).toEqual([]);
    expect(ended.code).toBe(2);
    expect(ended.errors).toMatch(/^TOOLRACK_KEY holds no key: .*toolrack keys create/);
    expect(ended.errors).not.toMatch(/hid/);
  });

  it("is told where the variable is empty, so that nobody becomes the owner by a variable that was not set", async () => {
    const url = await listen((_, response) => void response.writeHead(200, toolrack).end('{"keys":[]}'));
    const ended = await ask(url, ["keys"], { environment: { TOOLRACK_KEY: "" } });
    expect(ended).toMatchObject({ code: 2, errors: expect.stringMatching(/^TOOLRACK_KEY is empty\. .*unset/) });
  });

  it("is sent without the line break that its file ends with", async () => {
    const arrived: unknown[] = [];
    const url = await listen((request, response) => {
      arrived.push(request.headers.authorization);
      response.writeHead(200, toolrack).end('{"keys":[]}');
    });
    expect((await ask(url, ["keys"], { environment: { TOOLRACK_KEY: "trk_x\r\n" } })).code).toBe(0);
    expect(arrived).toEqual(["Bearer trk_x"]);
  });
});

describe("a server whose answer cannot be read", () => {
  it("is named, without the insides of this program", async () => {
    const url = await listen((_, response) => void response.writeHead(200, toolrack).end("{not json"));
    const ended = await ask(url, ["keys"]);
    expect(ended).toMatchObject({
      code: 5,
      errors: `${url} answered 200 with something that is not JSON. Check the URL, and what is in between.\n`,
    });
  });

  it.each([
    [["keys"], "{}", "GET /keys"],
    [["keys"], "null", "GET /keys"],
    [["keys"], "", "GET /keys"],
    [["list"], "[]", "GET /tools"],
    [["list"], '{"tools":"none"}', "GET /tools"],
    [["jobs"], '{"jobs":[null]}', "GET /jobs"],
    [["calls"], '{"calls":[{}]}', "GET /calls"],
    [["status"], "{}", "GET /status"],
  ])("is told that its JSON has another shape: %j with %s", async (words, body, operation) => {
    const url = await listen((_, response) => void response.writeHead(200, toolrack).end(body));
    const ended = await ask(url, words);
    expect(ended.code).toBe(5);
    expect(ended.errors).toContain(`What ${url} answered to ${operation}`);
    expect(ended.errors).toMatch(/ is not what this command expects: .*[^.]\. Check the URL, and that the server has the version/);
    expect(ended.errors).not.toMatch(/^\s+at /m);
  });

  it("shows where in this program it could not be read, with --verbose", async () => {
    const url = await listen((_, response) => void response.writeHead(200, toolrack).end("{}"));
    expect((await ask(url, ["--verbose", "keys"])).errors).toMatch(/^\s+at /m);
  });

  it("cannot turn the direction of what a terminal shows, also with --json", async () => {
    const problem = JSON.stringify({ detail: "a\u202eb" });
    const url = await listen((_, response) => void response.writeHead(400, toolrack).end(problem));
    const ended = await ask(url, ["keys", "--json"]);
    expect(ended.output).not.toContain("\u202e");
    expect(ended.json()).toEqual({ error: { detail: "a\u202eb" } });
  });
});

describe("a server that ends while it answers", () => {
  it.each([
    ["call", "text/event-stream", ["call", "slow"]],
    ["call, with --json", "text/event-stream", ["call", "slow", "--json"]],
    ["list", "application/json", ["list"]],
  ])("is told as that by %s, and not as one of another version", async (_, type, words) => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { ...toolrack, "content-type": type });
      response.write(type === "application/json" ? '{"tools":' : ": still there\n\n", () => response.destroy());
    });
    const ended = await ask(url, words);
    expect(ended.code).toBe(5);
    expect(ended.output + ended.errors).toMatch(
      new RegExp(
        `The connection to ${url} broke while it answered: .*toolrack status\\. What it was asked may have been done; .*toolrack calls`,
      ),
    );
    expect(ended.output + ended.errors).not.toContain("is not what this command expects");
  });
});
