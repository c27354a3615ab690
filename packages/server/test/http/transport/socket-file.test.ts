import { existsSync, lstatSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { listenOnSocket } from "../../../src/http/transport/socket-file.ts";

function makeServer(): Server {
  const server = createServer((socket) => void socket.on("error", () => undefined).end("hello"));
  afterThisTest(() => void server.close());
  return server;
}

const said = (file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    connect(file)
      .on("data", (bytes) => (text += bytes.toString()))
      .on("close", () => resolve(text))
      .on("error", reject);
  });

/** A socket file that nobody listens on, as a killed server leaves it. */
async function leaveBehind(file: string): Promise<void> {
  const server = createServer().listen(`${file}.x`);
  await new Promise((resolve) => server.once("listening", resolve));
  renameSync(`${file}.x`, file);
  await new Promise((resolve) => server.close(resolve));
}

const refusedWith = (file: string, fact: string): object =>
  expect.objectContaining({ code: "ADDRESS_UNAVAILABLE", message: `Cannot listen on the socket ${file}: ${fact}.` });

describe.skipIf(process.platform === "win32")("a server on a Unix socket", () => {
  it("makes the folder of the socket, has the mode that is asked for, and answers there", async () => {
    for (const [mode, bits] of [
      ["600", 0o600],
      ["660", 0o660],
    ] as const) {
      const file = join(temporaryFolder(), "a", "b.sock");
      const before = process.umask();
      const server = makeServer();
      await listenOnSocket(server, file, mode);
      expect(statSync(file).mode & 0o777).toBe(bits);
      expect(process.umask()).toBe(before);
      expect(server.listenerCount("error")).toBe(0);
      expect(await said(file)).toBe("hello");
    }
  });

  it("takes the place of a socket that nobody listens on, and leaves nothing beside it", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "b.sock");
    await leaveBehind(file);
    expect(lstatSync(file).isSocket()).toBe(true);
    await listenOnSocket(makeServer(), file, "600");
    expect(await said(file)).toBe("hello");
    expect(readdirSync(folder)).toEqual(["b.sock"]);
  });

  it("takes the place of no other server and of no other file", async () => {
    const folder = temporaryFolder();
    const [file, other] = [join(folder, "b.sock"), join(folder, "notes.txt")];
    await listenOnSocket(makeServer(), file, "600");
    await expect(listenOnSocket(makeServer(), file, "600")).rejects.toThrow(
      refusedWith(file, "another program listens there. Stop it, or choose another path") as Error,
    );
    expect(await said(file)).toBe("hello");
    writeFileSync(other, "mine");
    await expect(listenOnSocket(makeServer(), other, "600")).rejects.toThrow(
      refusedWith(other, "there is a file that is no socket. Choose another path, or remove it") as Error,
    );
    expect(readdirSync(folder).toSorted()).toEqual(["b.sock", "notes.txt"]);
  });

  it("needs a path that every system takes, and says what else is wrong with it", async () => {
    const folder = temporaryFolder();
    const long = join(folder, "x".repeat(104 - folder.length - 1));
    expect(Buffer.byteLength(long)).toBe(104);
    await expect(listenOnSocket(makeServer(), long, "600")).rejects.toThrow(
      refusedWith(long, "a socket's path may have 103 bytes, and this one has 104. Use a shorter one") as Error,
    );
    await listenOnSocket(makeServer(), long.slice(0, -1), "600");
    expect(existsSync(long.slice(0, -1))).toBe(true);
    const inFile = join(folder, "notes.txt", "b.sock");
    writeFileSync(join(folder, "notes.txt"), "mine");
    await expect(listenOnSocket(makeServer(), inFile, "600")).rejects.toMatchObject({
      code: "ADDRESS_UNAVAILABLE",
      message: expect.stringMatching(/^Cannot listen on the socket .+b\.sock: (?:ENOTDIR|EEXIST).+\.$/),
      cause: expect.any(Error),
    });
  });
});
