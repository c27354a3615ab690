import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { openServer } from "../src/open-server.ts";
import { followSystemd } from "../src/systemd.ts";
import { keepLog } from "./telemetry/log/lines.ts";

const runs = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args, { stdio: "ignore" }).error === undefined;
const hasParts = hasPart("systemd-notify", runs("systemd-notify", "--version")) && hasPart("python3", runs("python3", "--version"));

/** A socket as systemd has it, and what it was told. */
async function listen(): Promise<{ readonly path: string; readonly told: readonly string[] }> {
  const path = join(temporaryFolder(), "notify");
  const program = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("listens", flush=True)
while True:
    text = s.recv(4096).decode()
    if not text.startswith("BARRIER"): print(text.strip().replace("\\n", " "), flush=True)
`;
  const receiver = spawn("python3", ["-c", program, path], { stdio: ["ignore", "pipe", "inherit"] });
  afterThisTest(() => void receiver.kill());
  let text = "";
  receiver.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await until(() => text.startsWith("listens\n"));
  return {
    path,
    get told() {
      return text.split("\n").slice(1, -1);
    },
  };
}

describe("a server that systemd started", () => {
  it.skipIf(!hasParts)("says when it is ready and when it stops, and feeds the watchdog in between", async () => {
    const systemd = await listen();
    const folder = temporaryFolder();
    const server = await openServer({
      folder,
      port: 0,
      consoleFolder: false,
      logLevel: "silent",
      environment: {
        HOME: folder,
        XDG_STATE_HOME: folder,
        NOTIFY_SOCKET: systemd.path,
        WATCHDOG_USEC: "90000",
        WATCHDOG_PID: String(process.pid),
      },
      config: { store: { memory: true } },
    });
    afterThisTest(() => server.close({ graceMs: 0 }));
    await until(() => systemd.told.filter((one) => one === "WATCHDOG=1").length >= 2);
    expect(systemd.told[0]).toBe("READY=1 STATUS=Answers requests.");
    await server.close({ graceMs: 0 });
    await until(() => systemd.told.some((one) => one.startsWith("STOPPING=1")));
  });

  it.skipIf(!hasParts)("feeds no watchdog that nobody asked for, or that is for another process", async () => {
    const { log } = keepLog();
    const systemd = await listen();
    for (const more of [{}, { WATCHDOG_USEC: "30000", WATCHDOG_PID: "1" }]) {
      const supervisor = followSystemd({ NOTIFY_SOCKET: systemd.path, ...more }, log)!;
      supervisor.ready();
      await supervisor.close();
      supervisor.stopping();
      await supervisor.close();
    }
    await until(() => systemd.told.length === 4);
    expect(systemd.told.map((one) => one.split("=", 1)[0])).toEqual(["READY", "STOPPING", "READY", "STOPPING"]);
  });

  it("says once that its messages cannot be sent, and what to do, and goes on", async () => {
    const { log, lines } = keepLog();
    const supervisor = followSystemd({ NOTIFY_SOCKET: join(temporaryFolder(), "nobody") }, log)!;
    supervisor.ready();
    supervisor.stopping();
    await supervisor.close();
    expect(lines()).toMatchObject([
      { level: "error", message: expect.stringContaining("Install systemd-notify"), error: expect.anything() },
    ]);
  });

  it("is told nothing of a server that it did not start", () => {
    expect(followSystemd({ WATCHDOG_USEC: "1000" }, keepLog().log)).toBeUndefined();
  });
});
