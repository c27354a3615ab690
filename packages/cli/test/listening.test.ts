import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { hasOpenssl, makeCertificate, writeCertificate } from "@toolrack/testkit/certificates";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { run } from "./_run.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

async function start(server: string): Promise<{ folder: string; server: Awaited<ReturnType<typeof openServer>> }> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), `store: { memory: true }\nagents: { ci: {} }\nserver: ${server}\n`);
  const opened = await openServer({ folder, consoleFolder: false, log });
  onTestFinished(() => opened.close({ graceMs: 0 }));
  return { folder, server: opened };
}

/** Whether the command reached a server as its owner: others may not list keys. */
const asOwner = ["keys", "list"];

describe("a server on a Unix socket", () => {
  it("is found in its folder, by --url and by TOOLRACK_URL, as its owner's", async () => {
    const { folder, server } = await start("{ socket: ./t.sock }");
    await server.rack.keys.create({ agent: "ci", roles: [], by: "test" });
    const elsewhere = temporaryFolder();
    const environment = { TOOLRACK_URL: `unix:${server.socket}` };
    const ways = [
      await run(asOwner, { folder: elsewhere, environment }),
      await run(["--url", `unix:${server.socket}`, ...asOwner], { folder: elsewhere }),
      await run(["--url", `unix://${server.socket}`, ...asOwner], { folder: elsewhere }),
      await run(["--url", "unix:t.sock", ...asOwner], { folder }),
    ];
    for (const { code, output, errors } of ways) expect([code, errors, output.includes("ci")]).toEqual([0, "", true]);
    expect(await run(["config", "status"], { folder })).toMatchObject({ code: 0, output: expect.stringContaining("is in force") });
    expect(await run(["open"], { folder })).toMatchObject({
      code: exitCodes.usage.code,
      errors: expect.stringContaining("which browsers cannot open"),
    });
    const gone = await run(["--url", "unix:/nowhere.sock", "list"], { folder: elsewhere });
    expect(gone).toMatchObject({
      code: exitCodes.unreachable.code,
      errors: expect.stringContaining("unix:/nowhere.sock cannot be reached"),
    });
  });

  it("SD10: is sent the owner's token only while it runs", async () => {
    const { server } = await start("{ socket: ./t.sock }");
    const { socket } = server;
    await server.close({ graceMs: 0 });
    const seen: (string | undefined)[] = [];
    const stranger = createServer(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(200, { "toolrack-api": "1", "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => stranger.listen(socket, resolve));
    onTestFinished(() => void stranger.close());
    await run(["--url", `unix:${socket}`, "list"], { folder: temporaryFolder() });
    expect(seen).toEqual([undefined]);
  });
});

describe.skipIf(!hasOpenssl)("a server with a certificate", () => {
  it("SL5: is reached by its owner's command line, by the certificate in its file and no other", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-cli-tls-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const files = writeCertificate(folder, makeCertificate());
    const { server } = await start(JSON.stringify({ port: 0, tls: files }));
    await server.rack.keys.create({ agent: "ci", roles: [], by: "test" });
    const elsewhere = temporaryFolder();
    const found = await run(["--url", server.url, ...asOwner], { folder: elsewhere });
    expect([found.code, found.errors, found.output.includes("ci")]).toEqual([0, "", true]);

    // Somebody else's server, under the name that the file still says: it is sent nothing.
    const other = makeCertificate();
    const requests: unknown[] = [];
    const stranger = createTlsServer({ ...other }, (request, response) => {
      requests.push(request.headers);
      response.end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as { port: number };
    const { announceServer } = await import("@toolrack/server/known-servers");
    announceServer({ url: `https://127.0.0.1:${port}`, token: "tro_secret", certificateFile: files.cert }, process.env);
    const refused = await run(["--url", `https://127.0.0.1:${port}`, "list"], { folder: elsewhere });
    expect(refused).toMatchObject({ code: exitCodes.unreachable.code, errors: expect.stringContaining("certificate is another one") });
    expect(requests).toEqual([]);
  });
});

describe("toolrack serve as a program", () => {
  let program = "";
  beforeAll(async () => {
    program = await bundleProgram(new URL("../src/main.ts", import.meta.url));
  });
  afterAll(() => removeProgram(program));

  it("ends in order at the first SIGTERM, and at once at the second", async () => {
    const folder = temporaryFolder();
    // Ending in order would take ten minutes.
    writeFileSync(join(folder, "toolrack.config.yaml"), "store: { memory: true }\nserver: { drainDelayMs: 600000 }\n");
    const child: ChildProcess = spawn(process.execPath, [program, "serve", "--socket", "t.sock"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], XDG_STATE_HOME: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const said = (stream: NodeJS.ReadableStream, words: string): Promise<void> =>
      new Promise((resolve) => {
        let text = "";
        stream.on("data", (bytes: Buffer) => {
          text += bytes.toString();
          if (text.includes(words)) resolve();
        });
      });
    const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
    await said(child.stdout!, "t.sock");
    const ending = said(child.stderr!, "Stopping");
    child.kill("SIGTERM");
    await ending;
    const reached = await run(["--url", "unix:t.sock", "list"], { folder, environment: { XDG_STATE_HOME: folder } });
    expect(reached.code).toBe(0);
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
  });
});
