import { connect } from "node:net";
import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config/read.ts";
import { openServer } from "../src/open-server.ts";
import { serve, type Served, type ServeOptions } from "../src/serve.ts";

let calls = 0;
let release: () => void = () => undefined;
const hold = defineTool({
  name: "hold",
  description: "Runs until it is let go or cancelled.",
  inputSchema: { type: "object" },
  handler: (_input, { signal }) =>
    new Promise<string>((resolve, reject) => {
      calls += 1;
      release = () => resolve("let go");
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    }),
});

async function start(options: ServeOptions = {}): Promise<Served> {
  const served = await serve(await openTestRack({ tools: [hold] }), { port: 0, consoleFolder: false, ...options });
  afterThisTest(() => served.close({ graceMs: 0, drainDelayMs: 0 }));
  return served;
}

async function callHold(url: string): Promise<Response> {
  const before = calls;
  const answer = fetch(`${url}/api/v1/tools/hold/call`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  await until(() => calls > before);
  return answer;
}

describe("a server that stops", () => {
  it("goes on for the drain delay while it is not ready, and lets connections go, then refuses", async () => {
    const { url, close } = await start({ drainDelayMs: 3_000 });
    expect((await fetch(`${url}/api/v1/tools`)).headers.get("connection")).not.toBe("close");
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const closing = close();
    const late = await fetch(`${url}/api/v1/tools`);
    expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
    expect((await fetch(`${url}/ready`)).status).toBe(503);
    await closing;
    await expect(fetch(`${url}/api/v1/tools`)).rejects.toThrow();
  });

  it("waits for the calls that run, as long as the configuration says", async () => {
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const openWith = (graceMs: number) =>
      openServer({
        config: { store: { memory: true }, policy: { unknownAgents: "allow" }, server: { graceMs, port: 0 } },
        environment: { XDG_STATE_HOME: temporaryFolder() },
        folder: temporaryFolder(),
        consoleFolder: false,
        tools: [hold],
        log,
      });
    const patient = await openWith(600_000);
    const answer = callHold(patient.url);
    await until(() => patient.rack.running.list().length === 1);
    const closing = patient.close();
    release();
    expect((await answer).status).toBe(200);
    await closing;

    const hasty = await openWith(0);
    const cut = callHold(hasty.url).then(
      ({ status }) => status,
      () => 0,
    );
    await until(() => hasty.rack.running.list().length === 1);
    await hasty.close();
    expect(await cut).not.toBe(200);
  });
});

it("ends the connection of a client that does not finish the head of its request in time", async () => {
  const { port } = await start({ timeouts: { headersMs: 1_000 } });
  const answer = await new Promise<string>((resolve, reject) => {
    let said = "";
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /api/v1/tools HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
    socket.on("data", (bytes) => (said += bytes.toString()));
    socket.once("error", reject);
    socket.once("close", () => resolve(said));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408/);
});

describe("what the configuration says about listening", () => {
  const read = (server: object) => readConfig(JSON.stringify({ server }), "/etc/toolrack/toolrack.config.yaml");
  const faultOf = (server: object): string => {
    const result = read(server);
    return result.ok ? "" : result.issues.map(({ message }) => message).join("\n");
  };

  it("names files from its own folder", () => {
    expect(read({ socket: "run/a.sock" })).toMatchObject({ config: { server: { socket: "/etc/toolrack/run/a.sock" } } });
    expect(read({ tls: { cert: "cert.pem", key: "/k/key.pem" } })).toMatchObject({
      config: { server: { tls: { cert: "/etc/toolrack/cert.pem", key: "/k/key.pem" } } },
    });
  });

  it("is refused where it cannot be meant", () => {
    const good = { graceMs: 0, drainDelayMs: 5_000, timeouts: { headersMs: 5_000, requestMs: 60_000, keepAliveMs: 75_000 } };
    expect(faultOf(good)).toBe("");
    expect(faultOf({ socket: "a.sock", tls: { cert: "c", key: "k" } })).toContain("Remove one of them");
    expect(faultOf({ timeouts: { headersMs: 20_000, requestMs: 10_000 } })).toContain(
      "requestMs must be at least headersMs, which is 20000",
    );
    expect(faultOf({ tls: { cert: "c" } })).toContain("key");
    expect(faultOf({ socketMode: 600 })).toContain("socketMode");
    expect(faultOf({ socketMode: "rw" })).toContain("socketMode");
    expect(faultOf({ graceMs: -1 })).toContain("graceMs");
    expect(faultOf({ drainDelayMs: 10_000_000 })).toContain("drainDelayMs");
    expect(faultOf({ timeouts: { keepAliveMs: 10 } })).toContain("keepAliveMs");
  });
});
