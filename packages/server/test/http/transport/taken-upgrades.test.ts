import { EventEmitter } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Duplex } from "node:stream";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { createHttpServer, defaultTimeouts } from "../../../src/http/transport/http-server.ts";
import { takeUpgrades } from "../../../src/http/transport/upgrades.ts";

class Connection extends Duplex {
  sent = "";
  readonly givenBack: string[] = [];
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.sent += chunk.toString();
    done();
  }
  override _read(): void {}
  override unshift(chunk: Buffer): void {
    this.givenBack.push(chunk.toString("latin1"));
  }
}

interface Upgrade {
  readonly method?: string;
  readonly url?: string;
  readonly raw: readonly string[];
  readonly head?: string;
  readonly isTls?: boolean;
}

function upgrade({ method = "GET", url = "/a?b", raw, head = "", isTls = false }: Upgrade) {
  const server = new EventEmitter();
  const reopened: unknown[] = [];
  for (const event of ["connection", "secureConnection"]) server.on(event, (socket) => reopened.push([event, socket]));
  const requests: { readonly incoming: unknown; readonly outgoing: ServerResponse }[] = [];
  takeUpgrades(server as unknown as Server, (incoming, outgoing) => void requests.push({ incoming, outgoing }));
  const socket = new Connection();
  if (isTls) Object.assign(socket, { encrypted: true });
  const headers = Object.fromEntries(raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]!]] : [])));
  const incoming = {
    method,
    url,
    httpVersion: "1.1",
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    headers,
    rawHeaders: raw,
  } as unknown as IncomingMessage;
  server.emit("upgrade", incoming, socket, Buffer.from(head, "latin1"));
  return { socket, incoming, requests, reopened };
}

const webSocket = ["Host", "a", "Connection", "Upgrade", "Upgrade", "WebSocket"];

describe("a request for another protocol", () => {
  it.each<[string, Upgrade, string]>([
    [
      "HTTP/2",
      {
        raw: ["Host", "a", "Connection", "Upgrade, HTTP2-Settings", "Upgrade", "h2c", "HTTP2-Settings", "AAA", "X-One", "ü"],
        head: "rest",
      },
      "GET /a?b HTTP/1.1\r\nHost: a\r\nX-One: ü\r\n\r\nrest",
    ],
    [
      "one that keeps its connection",
      { raw: ["Connection", "keep-alive, Upgrade", "Upgrade", "h2c", "Host", "a"] },
      "GET /a?b HTTP/1.1\r\nConnection: keep-alive\r\nHost: a\r\n\r\n",
    ],
    ["a WebSocket by another method", { method: "POST", raw: webSocket }, "POST /a?b HTTP/1.1\r\nHost: a\r\n\r\n"],
    [
      "a WebSocket with a body",
      { raw: [...webSocket, "Content-Length", "4"], head: "body" },
      "GET /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody",
    ],
    [
      "a WebSocket with pieces",
      { raw: [...webSocket, "Transfer-Encoding", "chunked"] },
      "GET /a?b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
  ])("is read again without it: %s", (_what, sent, text) => {
    const { socket, requests, reopened } = upgrade(sent);
    expect(socket.givenBack).toEqual([text]);
    expect([requests, reopened]).toEqual([[], [["connection", socket]]]);
    const overTls = upgrade({ ...sent, isTls: true });
    expect(overTls.reopened).toEqual([["secureConnection", overTls.socket]]);
  });

  it("is a request as any other where it is for a WebSocket, with what came after its head", () => {
    const { socket, incoming, requests, reopened } = upgrade({ raw: webSocket, head: "frame" });
    expect(requests).toMatchObject([{ incoming }]);
    expect([reopened, socket.givenBack]).toEqual([[], ["frame"]]);
    expect(upgrade({ raw: webSocket }).socket.givenBack).toEqual([]);
  });

  it("may be answered: the connection is closed then, and the answer is over once", async () => {
    const { socket, requests } = upgrade({ raw: webSocket });
    const { outgoing } = requests[0]!;
    let closed = 0;
    outgoing.on("close", () => closed++);
    outgoing.writeHead(401, { "x-one": "1" }).end("no");
    await turns();
    expect(socket.sent).toMatch(/^HTTP\/1\.1 401 [^]*x-one: 1\r\n[^]*Connection: close\r\n[^]*no/);
    expect([socket.writableEnded, closed, outgoing.destroyed]).toEqual([true, 1, false]);
    socket.destroy();
    await turns();
    expect([closed, outgoing.destroyed]).toEqual([1, false]);
  });

  it("is over when its connection ends before it is answered", async () => {
    const { socket, requests } = upgrade({ raw: webSocket });
    const { outgoing } = requests[0]!;
    let closed = 0;
    outgoing.on("close", () => closed++);
    socket.emit("error", new Error("reset"));
    await turns();
    expect([socket.destroyed, closed, outgoing.destroyed]).toEqual([true, 1, true]);
  });

  it("that gave its connection away hears no more of it", async () => {
    const { socket, requests } = upgrade({ raw: webSocket });
    const { outgoing } = requests[0]!;
    let closed = 0;
    outgoing.on("close", () => closed++);
    outgoing.detachSocket(socket as never);
    outgoing.emit("close");
    socket.destroy();
    await turns();
    expect([closed, outgoing.destroyed]).toEqual([1, false]);
  });

  it.each(["websocket", "h2c"])(
    "that comes before the one before it was answered ends its connection, and nothing else: %s",
    async (protocol) => {
      const late: ServerResponse[] = [];
      const answered: (string | undefined)[] = [];
      const { server, closeAllConnections } = createHttpServer({
        timeouts: defaultTimeouts,
        onRequest({ url }, outgoing) {
          answered.push(url);
          if (url === "/slow") late.push(outgoing);
          else outgoing.end("quick");
        },
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      afterThisTest(() => {
        closeAllConnections();
        server.close();
      });
      const { port } = server.address() as AddressInfo;
      const lines = (url: string, more = ""): string => `GET ${url} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
      const send = (text: string): Promise<string> =>
        new Promise((resolve, reject) => {
          let got = "";
          const socket = connect(port, "127.0.0.1").setEncoding("utf8");
          socket.on("data", (piece: string) => (got += piece)).on("error", reject);
          socket.on("close", () => resolve(got));
          socket.write(text);
        });
      expect(await send(lines("/slow") + lines("/other", `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`))).toBe("");
      late[0]!.end("late");
      expect(await send(lines("/quick", "Connection: close\r\n"))).toMatch(/^HTTP\/1\.1 200 [^]*quick/);
      expect(answered).toEqual(["/slow", "/quick"]);
    },
  );
});
