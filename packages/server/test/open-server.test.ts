import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openServer } from "../src/open-server.ts";
import { version } from "../src/version.ts";
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

it("the first line comes before anything is opened, with version and file, as the file wants its lines", async () => {
  const { log, lines } = keepLog();
  const folder = temporaryFolder();
  const config = join(folder, "toolrack.config.yaml");
  writeFileSync(config, "store: { sqlite: data/store.db }\n");
  writeFileSync(join(folder, "data"), "A file where the folder of the store has to be.");
  await expect(openServer({ folder, config, log, port: 0, environment: { HOME: folder, XDG_STATE_HOME: folder } })).rejects.toThrow();
  expect(lines()[0]).toMatchObject({ level: "info", message: "Server starting.", version, pid: process.pid, file: config });
});

it("the server's name is in every line, from the first one on", async () => {
  const { log, lines } = keepLog({ level: "debug" });
  const folder = temporaryFolder();
  const server = await openServer({
    folder,
    log,
    port: 0,
    consoleFolder: false,
    environment: { HOME: folder, XDG_STATE_HOME: folder },
    config: { store: { memory: true }, sources: { away: { url: "http://127.0.0.1:9/", allowHosts: ["127.0.0.1:9"] } } },
  });
  const { name } = server.rack.servers;
  await server.rack.sources.ready();
  await fetch(`${server.url}/health`);
  await server.rack.call("calculator", { expression: "1 + 1" }, { caller: { agent: "a" } }).result;
  await server.close({ graceMs: 0 });
  expect(lines().map(({ message }) => message)).toEqual(
    expect.arrayContaining(["Server starting.", "A source failed.", "request", "call"]),
  );
  expect(lines().filter((line) => line["server"] !== name)).toEqual([]);
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
