import { generateKeyPairSync } from "node:crypto";
import { chmodSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect, type TLSSocket } from "node:tls";
import { hasOpenssl, makeCertificate, type TestCertificate, writeCertificate } from "@toolrack/testkit/certificates";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { testTools } from "@toolrack/testkit/test-tools";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { openCertificate } from "../src/http/transport/certificate.ts";
import { serve, type Served, type ServeOptions } from "../src/serve.ts";

interface Line {
  readonly level: string;
  readonly message: string;
}

async function start(tls: NonNullable<ServeOptions["tls"]>, options: ServeOptions = {}): Promise<Served & { readonly lines: Line[] }> {
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (message: string, fields?: object): void =>
      void lines.push({ level, message: `${message} ${JSON.stringify(fields ?? {})}` });
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const rack = await openTestRack({ tools: testTools, log });
  const served = await serve(rack, { port: 0, tls, consoleFolder: false, ...options });
  afterThisTest(() => served.close({ graceMs: 0 }));
  return { ...served, lines };
}

const trusting = ({ cert }: TestCertificate) => ({ ca: cert, servername: "tools.example.com" });

function ask(port: number, options: object): Promise<{ status: number; body: string; socket: TLSSocket }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/api/v1/tools", headers: { host: "localhost" }, ...options }, (response) => {
      const socket = response.socket as TLSSocket;
      text(response).then((body) => resolve({ status: response.statusCode!, body, socket }), reject);
    });
    sent.once("error", reject).end();
  });
}

/** The certificate that a new connection is shown. */
function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!.toString());
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describe.skipIf(!hasOpenssl)("a server with a certificate", () => {
  it("serves HTTPS, with TLS 1.2 or newer, and says so in its address", async () => {
    const made = makeCertificate();
    const { url, port, signInLink } = await start(writeCertificate(temporaryFolder(), made));
    expect(url).toBe(`https://127.0.0.1:${port}`);
    expect(signInLink()).toMatch(/^https:/);
    const answer = await ask(port, trusting(made));
    expect(answer.status).toBe(200);
    await expect(ask(port, {})).rejects.toThrow(/self.signed/);
    expect((await ask(port, { ...trusting(made), maxVersion: "TLSv1.2" })).status).toBe(200);
    const old = { ...trusting(made), minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    await expect(ask(port, old)).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${port}/api/v1/tools`)).rejects.toThrow();
  });

  it("calls itself by https where it tells MCP clients who issues tokens", async () => {
    const made = makeCertificate();
    const folder = temporaryFolder();
    const { publicKey } = generateKeyPairSync("ed25519");
    const jwksFile = join(folder, "keys.json");
    writeFileSync(jwksFile, JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "EdDSA" }] }), {
      mode: 0o600,
    });
    const tokens = { issuer: "https://login.example.com/", audience: "toolrack", jwksFile };
    const { port } = await start(writeCertificate(folder, made), { tokens });
    const { body } = await ask(port, { ...trusting(made), path: "/.well-known/oauth-protected-resource/mcp" });
    expect(JSON.parse(body)).toMatchObject({ resource: "https://localhost/mcp" });
  });

  it("takes a renewed certificate for new connections, and drops none", async () => {
    const [first, second, third] = [makeCertificate(), makeCertificate(), makeCertificate()];
    const folder = temporaryFolder();
    const { port } = await start(writeCertificate(folder, first));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    afterThisTest(() => agent.destroy());
    const before = await ask(port, { ...trusting(first), agent });
    writeCertificate(folder, second);
    await until(async () => (await shown(port)) === second.cert);
    const after = await ask(port, { ...trusting(first), agent });
    expect([after.status, after.socket === before.socket]).toEqual([200, true]);
    expect((await ask(port, trusting(second))).status).toBe(200);

    // As certbot does it: the name is a link, which leads to another file.
    const archive = writeCertificate(temporaryFolder(), third);
    for (const name of ["cert", "key"] as const) {
      symlinkSync(archive[name], join(folder, `${name}.next`));
      renameSync(join(folder, `${name}.next`), join(folder, `${name}.pem`));
    }
    await until(async () => (await shown(port)) === third.cert);
  });

  it("SL4: keeps the certificate that it has where the new files cannot be used, and says why", async () => {
    const [first, second] = [makeCertificate(), makeCertificate()];
    const folder = temporaryFolder();
    const { port, lines } = await start(writeCertificate(folder, first));
    const errors = (): readonly Line[] => lines.filter(({ level }) => level === "error");
    // Half of it.
    writeFileSync(join(folder, "cert.pem"), second.cert);
    await until(() => errors().length === 1);
    expect(errors()[0]!.message).toMatch(/the previous one stays in use.*mismatch/);
    expect(JSON.stringify(lines)).not.toContain("PRIVATE KEY");
    expect(await shown(port)).toBe(first.cert);
    // The key is there now, and open to others.
    writeFileSync(join(folder, "key.pem"), second.key);
    chmodSync(join(folder, "key.pem"), 0o644);
    await until(() => errors().length === 2);
    expect(errors()[1]!.message).toContain("chmod 600");
    expect(await shown(port)).toBe(first.cert);
    writeCertificate(folder, second);
    chmodSync(join(folder, "key.pem"), 0o600);
    writeFileSync(join(folder, "cert.pem"), second.cert);
    await until(async () => (await shown(port)) === second.cert);
  });

  it("says that its certificate has expired", () => {
    const files = writeCertificate(temporaryFolder(), makeCertificate());
    const error = vi.fn();
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error };
    openCertificate(files, log);
    expect(error).not.toHaveBeenCalled();
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3 * 86_400_000);
    afterThisTest(async () => now.mockRestore());
    openCertificate(files, log);
    expect(error).toHaveBeenCalledWith(expect.stringContaining("has expired"), expect.objectContaining({ cert: files.cert }));
  });

  it("SL4: does not start with a key that others may read, a pair that does not fit, or none", async () => {
    const [first, second] = [makeCertificate(), makeCertificate()];
    const folder = temporaryFolder();
    const files = writeCertificate(folder, first);
    chmodSync(files.key, 0o640);
    await expect(start(files)).rejects.toMatchObject({ code: "TLS_INVALID", message: expect.stringContaining("chmod 600") });
    chmodSync(files.key, 0o600);
    writeFileSync(files.cert, second.cert);
    await expect(start(files)).rejects.toMatchObject({ code: "TLS_INVALID", message: expect.stringContaining("mismatch") });
    await expect(start({ ...files, cert: join(folder, "none.pem") })).rejects.toMatchObject({ code: "TLS_INVALID" });
    await expect(start({ ...files, key: join(folder, "none.pem") })).rejects.toMatchObject({ code: "TLS_INVALID" });
    const rack = await openTestRack({});
    await expect(serve(rack, { tls: files, socket: join(folder, "a.sock") })).rejects.toMatchObject({ code: "TLS_INVALID" });
  });
});
