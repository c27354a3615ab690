import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { hasOpenssl, makeCertificate, writeCertificate } from "@toolrack/testkit/certificates";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCertificate } from "../../../src/http/transport/certificate.ts";
import { createHttpServer, defaultTimeouts } from "../../../src/http/transport/http-server.ts";

const lines: unknown[][] = [];
const log = Object.fromEntries(
  ["debug", "info", "warn", "error"].map((level) => [level, (...line: unknown[]) => lines.push([level, ...line])]),
) as never;

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => void vi.useRealTimers());

describe.skipIf(!hasOpenssl)("the files of a certificate", () => {
  it("stay in use where they cannot be reached for a while", () => {
    const pair = makeCertificate();
    const files = writeCertificate(temporaryFolder(), pair);
    const used: unknown[] = [];
    afterThisTest(openCertificate(files, log).follow((next) => used.push(next.cert?.toString())));
    rmSync(files.cert);
    symlinkSync(files.cert, files.cert);
    vi.advanceTimersByTime(3_000);
    expect([used, lines.map(([level]) => level)]).toEqual([[], ["error"]]);
    rmSync(files.cert);
    writeFileSync(files.cert, pair.cert);
    vi.advanceTimersByTime(3_000);
    expect([used, lines.map(([level]) => level)]).toEqual([[pair.cert], ["error", "info"]]);
  });

  it("are read at the start, and again once they have changed and rested for a look", () => {
    const folder = temporaryFolder();
    const [first, second] = [makeCertificate(), makeCertificate()];
    const files = writeCertificate(folder, first);
    const { options, follow } = openCertificate(files, log);
    expect(options).toEqual({ cert: Buffer.from(first.cert), key: first.key.trim(), minVersion: "TLSv1.2" });
    const used: unknown[] = [];
    const stop = follow((next) => used.push(next.cert?.toString()));
    vi.advanceTimersByTime(3_000);
    expect([used, lines]).toEqual([[], []]);
    writeCertificate(folder, second);
    vi.advanceTimersByTime(1_000);
    expect(used).toEqual([]);
    vi.advanceTimersByTime(999);
    expect(used).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(used).toEqual([second.cert]);
    expect(lines.splice(0)).toEqual([["info", "The certificate was read again.", { cert: files.cert }]]);
    rmSync(files.cert);
    vi.advanceTimersByTime(3_000);
    expect(used).toHaveLength(1);
    expect(lines).toEqual([
      [
        "error",
        "The new certificate cannot be used; the previous one stays in use.",
        { error: expect.stringMatching(/^The certificate .+ cannot be used for TLS: ENOENT/) },
      ],
    ]);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are refused where they do not belong together, are missing, or others may read the key", () => {
    const folder = temporaryFolder();
    const { cert } = makeCertificate();
    const files = writeCertificate(folder, { cert, key: makeCertificate().key });
    const wrong = (fact: RegExp): object =>
      expect.objectContaining({
        code: "TLS_INVALID",
        message: expect.stringMatching(
          new RegExp(
            `^The certificate .+ and the key .+ cannot be used for TLS: ${fact.source}\\. Correct server\\.tls\\.cert and server\\.tls\\.key in the configuration, or the files\\.$`,
          ),
        ),
        cause: expect.any(Error),
      });
    expect(() => openCertificate(files, log)).toThrow(wrong(/.*key values mismatch/) as Error);
    expect(() => openCertificate({ ...files, key: join(folder, "none.pem") }, log)).toThrow(wrong(/there is no file .+none\.pem/) as Error);
    chmodSync(files.key, 0o644);
    expect(() => openCertificate(files, log)).toThrow(expect.objectContaining({ code: "TLS_INVALID" }) as Error);
  });

  it("serve connections, of which also those end that have not said a word", async () => {
    vi.useRealTimers();
    const { cert, key } = makeCertificate();
    const tls = { cert, key };
    const { server, closeAllConnections, useCertificate } = createHttpServer({
      timeouts: defaultTimeouts,
      tls,
      onRequest: () => undefined,
    });
    const given: unknown[] = [];
    Object.assign(server, { setSecureContext: (next: unknown) => given.push(next) });
    useCertificate(tls);
    expect(given).toEqual([tls]);
    server.listen(0, "127.0.0.1");
    afterThisTest(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const connected = new Promise((resolve) => server.once("connection", resolve));
    const silent = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
    await connected;
    const closed = new Promise((resolve) => silent.once("close", resolve));
    closeAllConnections();
    await closed;
    expect(silent.destroyed).toBe(true);
  });
});

describe("a server without a certificate", () => {
  it("speaks plain HTTP, joins equal headers, and ends every connection when it is told", async () => {
    vi.useRealTimers();
    const { server, closeAllConnections, useCertificate } = createHttpServer({
      timeouts: defaultTimeouts,
      onRequest: (incoming, outgoing) => void outgoing.end(String(incoming.headers["x-one"])),
    });
    expect(useCertificate({})).toBeUndefined();
    server.listen(0, "127.0.0.1");
    afterThisTest(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
    let text = "";
    const answered = new Promise<void>((resolve) => socket.on("data", (bytes) => (text += bytes.toString()).includes("1, 2") && resolve()));
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nX-One: 2\r\n\r\n");
    await answered;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    closeAllConnections();
    await closed;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});
