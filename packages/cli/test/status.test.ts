import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { run } from "./_run.ts";

const [one, two] = [1, 2].map((seed) => Buffer.alloc(32, seed).toString("base64")) as [string, string];
type Server = Awaited<ReturnType<typeof openServer>>;

/** A server on a database that others may share, with a file of its own. */
async function start(
  database: string,
  text: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ folder: string; server: Server }> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), `store: { sqlite: ${JSON.stringify(database)} }\n${text}`);
  const server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    logLevel: "silent",
    environment: { ...process.env, ...environment },
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  await server.rack.call("calculator", { expression: "1 + 1" }, { caller: { agent: "owner", owner: true } }).result;
  return { folder, server };
}

describe("toolrack status", () => {
  it("shows every server of the store, whether they agree, and what waits, from any of them", async () => {
    const database = join(temporaryFolder(), "data", "shared.db");
    const environment = { TOOLRACK_MASTER_KEY: one };
    const first = await start(database, "policy: { tools: { ask: [random] } }\n", environment);
    await start(database, "", environment);
    const shown = await run(["status"], { folder: first.folder });
    expect(shown.code).toBe(0);
    expect(shown.output).toMatch(/: ready$/m);
    expect(shown.output).toMatch(/^SERVER .*HOST .*VERSION .*UP .*SEEN .*CONFIG .*DIGEST .*KEY .*SOURCES .*LAG .*CALLS/m);
    expect(shown.output).toMatch(
      new RegExp(`^${first.server.rack.servers.name.slice(-6)} \\* .* active +same +[0-9a-f]{8} +same +\\d+ `, "m"),
    );
    expect(shown.output).toMatch(/ active +different: policy +[0-9a-f]{8} +same/);
    expect(shown.output).toMatch(/^Store: sqlite.*migrations/m);
    expect(shown.output).toMatch(/^Waiting: 0 approvals, 0 configuration changes/m);
    expect(shown.output).toContain("another configuration than this one (policy)");
    const json = await run(["status", "--json"], { folder: first.folder });
    expect(json.json()).toMatchObject({ ready: true, servers: [{ isThis: true }, { config: "different", differs: ["policy"] }] });

    const doctor = await run(["doctor"], { folder: first.folder });
    expect(doctor.output).toMatch(/server .*another configuration than this one \(policy\)/s);
    expect(doctor.output).toMatch(/^2 servers with 2 different configurations, 0 jobs waiting, a store of [\d.]+ [kM]B: toolrack status$/m);
  });

  it("ends with 1 where the server is not ready, and says why", async () => {
    const database = join(temporaryFolder(), "data", "shared.db");
    const first = await start(database, "", { TOOLRACK_MASTER_KEY: one });
    await first.server.rack.secrets.set("api-key", "value");
    await first.server.close();
    const { folder } = await start(database, "", { TOOLRACK_MASTER_KEY: two });
    const shown = await run(["status"], { folder });
    expect(shown.code).toBe(exitCodes.failed.code);
    expect(shown.output).toMatch(/: not ready$/m);
    expect(shown.output).toMatch(/^Checks: .*masterKey wrong/m);
    expect(shown.output).toContain("1 secret and the audit key");
    expect((await run(["doctor"], { folder })).output).toContain("1 secret and the audit key");
  });

  it("works on the store of a folder without a server", async () => {
    const folder = temporaryFolder();
    const shown = await run(["status", "--json"], { folder });
    expect([shown.code, shown.json()]).toMatchObject([0, { ready: true, servers: [{ isThis: true }], store: { kind: "sqlite" } }]);
  });
});

describe("toolrack secrets rewrap", () => {
  // row: H17
  it("ends a rotation, says when the previous keys can go, and does nothing the second time", async () => {
    const database = join(temporaryFolder(), "data", "shared.db");
    const first = await start(database, "", { TOOLRACK_MASTER_KEY: one });
    await first.server.rack.secrets.set("api-key", "value");
    const second = await start(database, "", { TOOLRACK_MASTER_KEY: two, TOOLRACK_PREVIOUS_KEYS: one });
    const early = await run(["secrets", "rewrap"], { folder: second.folder });
    expect(early.code).toBe(exitCodes.failed.code);
    expect(early.output).toContain("Re-encrypted with the current master key: 1 secret, 2 keys of the server.");
    expect(early.output).toContain(`still have another master key: ${first.server.rack.servers.name.slice(-6)}`);
    expect(early.output).not.toContain("can be removed");
    await first.server.close();
    const done = await run(["secrets", "rewrap"], { folder: second.folder });
    expect(done).toMatchObject({
      code: 0,
      output: expect.stringContaining("0 secrets, 0 keys of the server.\nTOOLRACK_PREVIOUS_KEYS can be removed now."),
    });
    await second.server.close();
    const third = await start(database, "", { TOOLRACK_MASTER_KEY: two });
    expect((await run(["status"], { folder: third.folder })).code).toBe(0);
  });

  it("names what no key opens, and gives it up only when told to", async () => {
    const database = join(temporaryFolder(), "data", "shared.db");
    const first = await start(database, "", { TOOLRACK_MASTER_KEY: one });
    await first.server.rack.secrets.set("api-key", "value");
    await first.server.close();
    const { folder } = await start(database, "", { TOOLRACK_MASTER_KEY: two });
    const refused = await run(["secrets", "rewrap"], { folder });
    expect(refused).toMatchObject({
      code: exitCodes.failed.code,
      output: expect.stringContaining("No available key can decrypt: the secret api-key and 1 audit key."),
    });
    const done = await run(["secrets", "rewrap", "--forget-unreadable"], { folder });
    expect(done).toMatchObject({
      code: 0,
      output: expect.stringContaining("Discarded, because no available key can decrypt it: the secret api-key and 1 audit key."),
    });
    expect((await run(["secrets", "list", "--json"], { folder })).json()).toMatchObject({ secrets: [] });
  });
});
