import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it } from "vitest";
import { openServer } from "../src/open-server.ts";
import { keepLog } from "./telemetry/log/lines.ts";

it("LG9: a server says that it starts, is ready, drains and stopped", async () => {
  const { log, lines } = keepLog();
  const folder = temporaryFolder();
  const server = await openServer({
    folder,
    log,
    port: 0,
    consoleFolder: false,
    environment: { HOME: folder, XDG_STATE_HOME: folder },
    config: { store: { memory: true } },
  });
  afterThisTest(() => server.close({ graceMs: 0 }));
  await Promise.all([server.close({ graceMs: 0 }), server.close({ graceMs: 0 })]);
  expect(lines()).toMatchObject([
    { level: "info", message: "Server starting.", version: server.rack.version, pid: process.pid },
    { level: "info", message: "Server ready.", url: server.url },
    { level: "info", message: "Server draining.", running: 0 },
    { level: "info", message: "Server stopped." },
  ]);
});

it("what the log is told by name goes before the file, and the file before the default", async () => {
  const written: string[] = [];
  const log = { ...keepLog().log, configure: (settings: object) => void written.push(JSON.stringify(settings)) };
  const server = await openServer({
    folder: temporaryFolder(),
    log,
    port: 0,
    consoleFolder: false,
    environment: {},
    config: { store: { memory: true }, log: { level: "warn", format: "json" }, redaction: { fields: ["card"] } },
  });
  afterThisTest(() => server.close({ graceMs: 0 }));
  expect(written).toEqual([JSON.stringify({ level: "warn", format: "json", hiddenFields: ["card"] })]);
});
