import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it, vi } from "vitest";
import { openMcpEndpoint, type OpenedEndpoint } from "../../src/connection/mcp-endpoint.ts";

function project(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), "policy: { agents: { anna: { tools: { allow: [random] } } } }\n");
  return folder;
}

async function serve(folder: string): Promise<Awaited<ReturnType<typeof openServer>>> {
  const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
  afterThisTest(() => server.close({ graceMs: 0 }));
  return server;
}

async function joinServerOf(folder: string): Promise<OpenedEndpoint> {
  const environment = { XDG_STATE_HOME: process.env["XDG_STATE_HOME"]! };
  const endpoint = await openMcpEndpoint({
    agent: "anna",
    path: "/mcp",
    query: "",
    key: undefined,
    url: undefined,
    config: undefined,
    folder,
    environment,
    logLevel: "silent",
  });
  afterThisTest(() => endpoint.close());
  return endpoint;
}

async function listTools(endpoint: OpenedEndpoint): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await endpoint.send({
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    signal: new AbortController().signal,
  });
  return { status: answer.status, text: await answer.text() };
}

/** The headers of the last request, and what the server says to who signs in with them. */
async function watchSignIn(folder: string): Promise<{ ask(method: "GET" | "DELETE"): Promise<number>; readonly endpoint: OpenedEndpoint }> {
  const server = await serve(folder);
  const sent = vi.spyOn(globalThis, "fetch");
  afterThisTest(() => sent.mockRestore());
  const endpoint = await joinServerOf(folder);
  expect(await listTools(endpoint)).toMatchObject({ status: 200, text: expect.stringContaining("random") });
  const { authorization = "" } = sent.mock.calls.at(-1)![1]!.headers as Readonly<Record<string, string>>;
  return { endpoint, ask: async (method) => (await fetch(`${server.url}/api/v1/sign-in`, { method, headers: { authorization } })).status };
}

it("a client whose session the server does not know any more, as after a restart, gets a new one and does not notice", async () => {
  const { endpoint, ask } = await watchSignIn(project());
  expect(await ask("DELETE")).toBe(204);
  expect(await ask("GET")).toBe(401);
  expect(await listTools(endpoint)).toMatchObject({ status: 200, text: expect.stringContaining("random") });
});

it("the session of a client ends with the command: what it was signed in with opens nothing any more", async () => {
  const { endpoint, ask } = await watchSignIn(project());
  expect(await ask("GET")).toBe(200);
  await endpoint.close();
  expect(await ask("GET")).toBe(401);
});
