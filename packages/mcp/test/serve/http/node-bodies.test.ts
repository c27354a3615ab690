import { connect, type Socket } from "node:net";
import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { untilAborted } from "@toolrack/testkit/aborted";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { clientMeta, nothing, serving } from "../serve.ts";

const reasons: unknown[] = [];
const hang = defineTool({
  name: "hang",
  description: "Waits until it is cancelled.",
  inputSchema: nothing,
  async handler(_input, { signal }) {
    reasons.push("begun");
    await untilAborted(signal).catch(() => undefined);
    reasons.push((signal.reason as Error).message);
    return "";
  },
});

async function open(options: object = {}) {
  reasons.length = 0;
  const { url, endpoint } = await serving([hang], { bodyTimeoutMs: 20_000, ...options });
  const { port } = new URL(url);
  const speak = (): { socket: Socket; heard: () => string } => {
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    socket.on("error", () => undefined);
    afterThisTest(() => socket.destroy());
    return { socket, heard: () => text };
  };
  return { endpoint, speak, port };
}

const head = (port: string, headers: Record<string, string | number>): string =>
  `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n${Object.entries(
    headers,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe("a body over HTTP", () => {
  it("may come in pieces, and is answered when it is whole", async () => {
    const { speak, port } = await open();
    const { socket, heard } = speak();
    socket.write(head(port, { "content-length": ping.length }) + ping.slice(0, 10));
    await until(() => socket.bytesWritten > 0);
    socket.write(ping.slice(10));
    await until(() => heard().includes('"result":{}'));
    expect(heard()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("is refused once where it is announced or becomes too large", async () => {
    const { speak, port } = await open({ maxBodyBytes: 100 });
    const refused = async (text: string): Promise<void> => {
      const { socket, heard } = speak();
      socket.write(text);
      await until(() => heard().includes("The body is larger than 100 bytes."));
      expect(heard().split("HTTP/1.1 413 ")).toHaveLength(2);
    };
    await refused(head(port, { "content-length": 101 }));
    await refused(head(port, { "content-length": 101 }) + " ".repeat(101));
    const chunks = [50, 51, 5].map((size) => `${size.toString(16)}\r\n${" ".repeat(size)}\r\n`).join("");
    await refused(`${head(port, { "transfer-encoding": "chunked" })}${chunks}0\r\n\r\n`);
  });

  it("is not waited for longer than allowed", async () => {
    const { speak, port } = await open({ bodyTimeoutMs: 1 });
    const { socket, heard } = speak();
    socket.write(`${head(port, { "content-length": 100 })}{`);
    await until(() => heard().includes("The body did not come in in time."));
    expect(heard()).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe("a call over HTTP", () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "hang", arguments: {}, _meta: clientMeta } });
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "hang" };

  it("ends when its client goes away", async () => {
    const { speak, port } = await open();
    const { socket } = speak();
    socket.write(head(port, { ...headers, "content-length": body.length }) + body);
    await until(() => reasons.length === 1);
    socket.destroy();
    await until(() => reasons.length === 2);
    expect(reasons[1]).toBe("The client went away.");
  });

  it("ends with what its caller signed in with, also in requests of the web", async () => {
    const { endpoint } = await open();
    const controller = new AbortController();
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    const answer = endpoint.fetch(request, { caller: { agent: "ada" }, signal: controller.signal });
    await until(() => reasons.length === 1);
    controller.abort(new Error("The API key was revoked."));
    await until(() => reasons.length === 2);
    expect(reasons[1]).toBe("The API key was revoked.");
    expect(await (await answer).json()).toMatchObject({ error: { message: "The API key was revoked." } });
  });
});
