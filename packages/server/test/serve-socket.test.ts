import { spawn } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { hasNginx, startNginx } from "@toolrack/testkit/nginx";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { testTools } from "@toolrack/testkit/test-tools";
import { describe, expect, it } from "vitest";
import { listenOnSocket } from "../src/http/transport/socket-file.ts";
import { openServer } from "../src/open-server.ts";
import type { Rack } from "../src/rack/rack.ts";
import { serve, type Served, type ServeOptions } from "../src/serve.ts";

async function start(options: ServeOptions = {}): Promise<Served & { readonly rack: Rack; readonly socket: string }> {
  const socket = join(temporaryFolder(), "run", "toolrack.sock");
  const rack = await openTestRack({ tools: testTools });
  const served = await serve(rack, { socket, consoleFolder: false, ...options });
  afterThisTest(() => served.close({ graceMs: 0 }));
  return { ...served, rack, socket };
}

function ask(socketPath: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, host: "localhost", path: "/api/v1/tools", headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode!, body }), reject);
    });
    sent.once("error", reject).end();
  });
}

/** A socket file that a program left behind when it was killed. */
async function leaveSocket(file: string): Promise<void> {
  const program = `require("node:net").createServer().listen(${JSON.stringify(file)}, () => process.stdout.write("."))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout!.once("data", resolve));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

describe("a server on a Unix socket", () => {
  it("is open to its own user alone, unless it is said otherwise, and leaves nothing behind", async () => {
    const served = await start();
    expect(served.url).toBe(`unix:${served.socket}`);
    expect((statSync(served.socket).mode & 0o777).toString(8)).toBe("600");
    expect((await ask(served.socket)).status).toBe(200);
    await served.close();
    expect(existsSync(served.socket)).toBe(false);
    const shared = await start({ socketMode: "0660" });
    expect((statSync(shared.socket).mode & 0o777).toString(8)).toBe("660");
  });

  it("is never open to others, not even before its mode is set", async () => {
    const file = join(temporaryFolder(), "a.sock");
    const server = createServer();
    afterThisTest(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const listen = server.listen.bind(server) as (...words: unknown[]) => Server;
    const modes: string[] = [];
    server.listen = (...words: unknown[]) => {
      listen(...words);
      modes.push((statSync(file).mode & 0o777).toString(8));
      return server;
    };
    await listenOnSocket(server, file, "0600");
    expect(modes).toEqual(["600"]);
  });

  it("SL1: trusts who comes over it as on loopback, and nobody whom a proxy passes on", async () => {
    const { socket, rack } = await start();
    const owner = { authorization: `Bearer ${rack.ownerToken.text}` };
    expect((await ask(socket)).status).toBe(200);
    expect((await ask(socket, owner)).status).toBe(200);
    expect((await ask(socket, { host: "evil.example" })).status).toBe(403);
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded"]) {
      const headers = { [name]: "203.0.113.7" };
      expect((await ask(socket, headers)).status).toBe(401);
      expect((await ask(socket, { ...headers, ...owner })).status).toBe(401);
    }
    await rack.keys.create({ agent: "ci", roles: [], by: "test" });
    expect((await ask(socket)).status).toBe(401);
    expect((await ask(socket, owner)).status).toBe(200);
  });

  it("SL2: takes the place of one that was killed, and of nobody else", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "a.sock");
    await leaveSocket(file);
    expect(existsSync(file)).toBe(true);
    const first = await start({ socket: file });
    expect((await ask(file)).status).toBe(200);
    await expect(start({ socket: file })).rejects.toMatchObject({
      code: "ADDRESS_UNAVAILABLE",
      message: expect.stringContaining("another program listens there"),
    });
    expect((await ask(file)).status).toBe(200);
    await first.close();

    const plain = join(folder, "notes.txt");
    writeFileSync(plain, "keep me");
    await expect(start({ socket: plain })).rejects.toThrow("a file that is no socket");
    expect(existsSync(plain)).toBe(true);
    await expect(start({ socket: join(folder, "x".repeat(120)) })).rejects.toThrow("a socket's path may have 103 bytes");
  });

  it("SL2: of two that find the same one left behind, one serves and the other is told", async () => {
    const file = join(temporaryFolder(), "a.sock");
    await leaveSocket(file);
    const outcomes = await Promise.allSettled([start({ socket: file }), start({ socket: file }), start({ socket: file })]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await ask(file)).status).toBe(200);
  });

  it("is what the configuration names, from its own folder, unless an address is asked for", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "toolrack.config.yaml"), "store: { memory: true }\nserver: { socket: ./run/t.sock, socketMode: '0640' }\n");
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const server = await openServer({ folder, environment, log, consoleFolder: false });
    afterThisTest(() => server.close({ graceMs: 0 }));
    expect(server.socket).toBe(join(folder, "run", "t.sock"));
    expect((statSync(server.socket!).mode & 0o777).toString(8)).toBe("640");
    const other = await openServer({ folder, environment, log, consoleFolder: false, port: 0 });
    afterThisTest(() => other.close({ graceMs: 0 }));
    expect(other.url).toMatch(/^http:/);
  });

  it.skipIf(!hasNginx)("SL3: is reached through nginx, by those who sign in", async () => {
    const { socket, rack } = await start();
    const { secret } = await rack.keys.create({ agent: "ci", roles: [], by: "test" });
    const nginx = await startNginx([`unix:${socket}`], ["X-Forwarded-For $proxy_add_x_forwarded_for"]);
    afterThisTest(() => nginx.stop());
    expect((await fetch(`${nginx.url}/api/v1/tools`)).status).toBe(401);
    const owner = { authorization: `Bearer ${rack.ownerToken.text}` };
    expect((await fetch(`${nginx.url}/api/v1/tools`, { headers: owner })).status).toBe(401);
    const headers = { authorization: `Bearer ${secret}` };
    for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${nginx.url}/mcp`), { requestInit: { headers } }));
      const result = await client.callTool({ name: "echo", arguments: { text: "over a socket" } });
      expect(JSON.stringify(result.content)).toContain("over a socket");
      await client.close();
    }
  });
});
