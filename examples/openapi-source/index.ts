// From an API document to governed tools: the commands of docs/guides/openapi.md, against a small API on this machine.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const key = "key-of-the-library";
const books = [
  { title: "The Dispossessed", author: "Le Guin" },
  { title: "Persuasion", author: "Austen" },
];
const server = createServer(answer);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const folder = mkdtempSync(join(tmpdir(), "toolrack-example-"));
writeFileSync(
  join(folder, "toolrack.config.yaml"),
  `policy:
  agents:
    reader: { tools: { allow: ["library__*"], deny: ["library__addBook"] } }
tools: { packs: { utility: false } }
`,
);

let failures = 0;
await toolrack(["openapi", "plan", `http://${host}/openapi.json`, "--id", "library", "--allow-host", host]);
await toolrack([
  "sources",
  "add",
  "library",
  "--openapi",
  `http://${host}/openapi.json`,
  "--exclude",
  "DELETE",
  "--secret",
  "token=LIBRARY_KEY",
  "--allow-host",
  host,
]);
await toolrack(["secrets", "set", "LIBRARY_KEY"], key);
await toolrack(["call", "library__listBooks", "author=Le Guin", "--agent", "reader"]);
await toolrack(["call", "library__addBook", "title=Emma", "--agent", "reader"], "", 3);

server.close();
server.closeAllConnections();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failures === 0 ? 0 : 1;

/** Runs one command in the folder, and prints it with what it answers. The port is different each time, and is printed as 8000. */
async function toolrack(words: readonly string[], input = "", expected = 0): Promise<void> {
  const program = fileURLToPath(new URL("../../../packages/cli/bin/toolrack.cjs", import.meta.url));
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", XDG_STATE_HOME: folder },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== expected) failures += 1;
  const shown = words.map((word) => (/^[\w./:=-]+$/.test(word) ? word : `"${word}"`)).join(" ");
  const stable = output.replaceAll(/^(?:Waiting for .*|\d+ ms · call \w.*)\n/gm, "").trimEnd();
  console.log(`$ npx toolrack ${shown}\n${stable}\n`.replaceAll(host, "127.0.0.1:8000"));
}

function answer({ url = "/", method, headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, "http://library");
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  if (pathname === "/openapi.json") return send(200, document());
  if (headers.authorization !== `Bearer ${key}`) return send(401, { message: "Show your library card." });
  if (method === "GET")
    return send(
      200,
      books.filter(({ author }) => author === (searchParams.get("author") ?? author)),
    );
  send(201, { added: true });
}

function document(): unknown {
  const title = { type: "string", description: "The title of the book." };
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  return {
    openapi: "3.1.0",
    info: { title: "Library", version: "1.0" },
    servers: [{ url: `http://${host}` }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    paths: {
      "/books": {
        get: {
          operationId: "listBooks",
          summary: "List the books of an author",
          parameters: [{ name: "author", in: "query", schema: { type: "string" } }],
          responses: { 200: { description: "The books.", content: { "application/json": { schema: { type: "array" } } } } },
        },
        post: {
          operationId: "addBook",
          summary: "Add a book",
          requestBody: {
            required: true,
            content: { "application/json": { schema: { type: "object", properties: { title }, required: ["title"] } } },
          },
          responses: { 201: { description: "Added." } },
        },
      },
      "/books/{id}": {
        delete: { operationId: "removeBook", summary: "Remove a book", parameters: [id], responses: { 204: { description: "Gone." } } },
      },
    },
  };
}
