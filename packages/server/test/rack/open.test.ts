import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { verifyAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.ts";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  handler: ({ a, b }) => ({ sum: a + b }),
});

const owner = { owner: true };

describe("openRack", () => {
  it("without a file keeps everything in SQLite, and seals secrets with a key file that only its owner may read", async () => {
    const here = temporaryFolder();
    const rack = await openTestRack({ folder: here, tools: [add], config: undefined });
    const result = await rack.call("add", { a: 1, b: 2 }, { caller: { agent: "local", owner: true } }).result;
    expect(result).toMatchObject({ ok: true, data: { sum: 3 } });
    expect(await rack.calls.show(result.meta.callId)).toMatchObject({ tool: "add", ok: true });
    expect(statSync(join(here, ".toolrack/master.key")).mode & 0o777).toBe(0o600);
    await rack.secrets.set("KEY", "s3cret-value");
    await rack.close();
    const again = await openTestRack({ folder: here, config: undefined });
    expect(await again.secrets.get({ name: "KEY", tool: "add", callId: "x", caller: {} })).toBe("s3cret-value");
    expect(readFileSync(join(here, ".toolrack/toolrack.db")).includes("s3cret-value")).toBe(false);
    await again.close();
    chmodSync(join(here, ".toolrack/master.key"), 0o644);
    await expect(openTestRack({ folder: here, config: undefined })).rejects.toThrow(/chmod 600/);
    // A new key would open none of the secrets, so none is made in silence.
    rmSync(join(here, ".toolrack/master.key"));
    await expect(openTestRack({ folder: here, config: undefined })).rejects.toThrow(/TOOLRACK_MASTER_KEY/);
    const key = Buffer.alloc(32, 9).toString("base64");
    const renewed = await openTestRack({ folder: here, config: undefined, environment: { TOOLRACK_MASTER_KEY: key } });
    await renewed.masterKey.rewrap({ by: "test", forgetUnreadable: true });
    await renewed.secrets.set("KEY", "another-value");
    expect(await renewed.secrets.get({ name: "KEY", tool: "add", callId: "x", caller: {} })).toBe("another-value");
  });

  it.each([
    "toolrack.yaml",
    "Toolrack.yml",
    "toolrack.config.json",
    ".toolrack.yaml",
    "tool-rack-settings.yaml",
    "toolrack.config.yaml.txt",
    "toolrack.config",
  ])("SD1: does not begin without the policy of a configuration file that has another name: %s", async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), "policy: { tools: { deny: [add] } }\n");
    await expect(openTestRack({ folder, config: undefined })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `${join(folder, name)} is not read: the configuration file is toolrack.config.yaml. Rename it, or name it with: toolrack --config ${name}`,
    });
    expect((await openTestRack({ folder, tools: [add], config: name })).registry.view({ agent: "ann" }).offered("add")).toBeUndefined();
    writeFileSync(join(folder, "toolrack.config.yaml"), "policy: {}\n");
    await openTestRack({ folder, config: undefined });
  });

  it("does not begin where the configuration file is a link to nothing", async () => {
    const folder = temporaryFolder();
    const link = join(folder, "toolrack.config.yaml");
    symlinkSync(join(folder, "gone.yaml"), link);
    await expect(openTestRack({ folder, config: undefined })).rejects.toThrow(
      `${link} is a link to a file that does not exist. Create that file, or remove the link.`,
    );
  });

  it("begins beside files that only look like it, and in a folder that is not there yet", async () => {
    const folder = temporaryFolder();
    for (const name of ["toolrack.md", "mytoolrack.yaml", "toolrack.config.yaml.bak", "toolrack.test.yaml"])
      writeFileSync(join(folder, name), "x");
    mkdirSync(join(folder, "toolrack.yaml"));
    await openTestRack({ folder, config: undefined });
    await openTestRack({ folder: join(folder, "new"), config: undefined });
  });

  it("does not run a call of a reply that could not be read", async () => {
    const rack = await openTestRack({ tools: [add] });
    const error = { code: "INPUT_INVALID", message: "The arguments are incomplete." } as const;
    const calls = [
      { name: "add", input: { a: 1, b: 2 }, error },
      { name: "add", input: { a: 1, b: 2 } },
    ];
    const results = await rack.registry.callAll(calls, { caller: owner });
    expect(results).toMatchObject([
      { ok: false, code: "INPUT_INVALID", error: "The arguments are incomplete." },
      { ok: true, data: { sum: 3 } },
    ]);
  });

  it("writes nothing for those who only look, and is known to the other servers before its first call", async () => {
    const here = temporaryFolder();
    const database = join(here, ".toolrack/toolrack.db");
    // What is served for the first time is put on record; from then on, looking changes nothing.
    await (await openTestRack({ folder: here, tools: [add], config: undefined })).close();
    const before = readFileSync(database);
    const looking = await openTestRack({ folder: here, tools: [add], config: undefined });
    expect(looking.registry.entries().map(({ tool }) => tool.name)).toContain("add");
    await looking.close();
    expect(readFileSync(database).equals(before)).toBe(true);
    const calling = await openTestRack({ folder: here, tools: [add], config: undefined });
    expect(await calling.servers.list()).toEqual([]);
    const known = defineTool({ ...add, name: "known", handler: async () => ({ servers: (await calling.servers.list()).length }) });
    calling.registry.register(known);
    const results = await Promise.all([1, 2].map((a) => calling.call("known", { a, b: 0 }, { caller: owner }).result));
    expect(results).toMatchObject([
      { ok: true, data: { servers: 1 } },
      { ok: true, data: { servers: 1 } },
    ]);
    expect(await calling.servers.list()).toMatchObject([
      { name: calling.servers.name, isThis: true, status: "active", info: { version, pid: process.pid, node: process.versions.node } },
    ]);
    await calling.close();
  });

  it("takes the key from the environment, and the database from DATABASE_URL or the variable that the file names", async () => {
    const key = Buffer.alloc(32, 7).toString("base64");
    const here = temporaryFolder();
    const rack = await openTestRack({ folder: here, config: {}, environment: { TOOLRACK_MASTER_KEY: key } });
    await rack.secrets.set("KEY", "s3cret-value");
    expect(() => statSync(join(here, ".toolrack/master.key"))).toThrow(/ENOENT/);
    await expect(openTestRack({ config: { store: { postgres: "env:NO_SUCH" } } })).rejects.toThrow(/NO_SUCH/);
    await expect(openTestRack({ environment: { DATABASE_URL: "postgres://127.0.0.1:1/none" } })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
  });

  it("keeps as much of the audit as the configuration says, and what is left verifies", async () => {
    const here = temporaryFolder();
    const rack = await openTestRack({ folder: here, tools: [add], config: {} });
    for (let a = 0; a < 10; a++) await rack.call("add", { a, b: 1 }, { caller: {} }).result;
    await rack.close();
    const again = await openTestRack({ folder: here, config: { audit: { maxRows: 3, maxAgeDays: 30 } } });
    await again.retention.run();
    expect((await again.calls.list()).map(({ input }) => (input as { a: number }).a)).toEqual([9, 8, 7]);
    expect(await verifyAudit(again.store)).toMatchObject({ ok: true, rows: 4 });
  });

  it("follows the file: a change holds at once, a broken one is reported and changes nothing", async () => {
    const here = temporaryFolder();
    const file = join(here, "toolrack.config.yaml");
    writeFileSync(file, "store: { memory: true }\npolicy:\n  tools:\n    deny: []\n");
    const warnings: unknown[] = [];
    const silent = { debug: () => undefined, info: () => undefined, error: () => undefined };
    const log = { ...silent, warn: (_message: string, fields?: object) => void warnings.push(fields) };
    const rack = await openTestRack({ folder: here, tools: [add], config: undefined, log });
    expect(rack.registry.view(owner).tools.map(({ name }) => name)).toContain("add");
    writeFileSync(file, "store: { memory: true }\npolicy:\n  tools:\n    deny:\n      - add\n");
    await until(() => !rack.registry.view(owner).tools.some(({ name }) => name === "add"));
    expect(rack.registry.explain("add", owner).decision).toMatchObject({ source: "toolrack.config.yaml:5", entry: "add" });
    expect(warnings).toEqual([]);
    writeFileSync(file, "store: { memory: true }\nlimits: { timeoutMs: 5 }\npolicy:\n  tools:\n    deny: [add]\n");
    await until(() => warnings.length > 0);
    expect(warnings[0]).toMatchObject({ keys: ["limits"] });
    writeFileSync(file, "store: { memory: true }\npolcy: {}\n");
    await until(() => rack.settings.problems.length > 0);
    expect(rack.settings.problems[0]).toContain("toolrack.config.yaml:2:1");
    expect(rack.settings.problems[0]).toContain("policy");
    expect(rack.registry.explain("add", owner).allowed).toBe(false);
  });
});
