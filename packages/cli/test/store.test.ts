import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { chmod, copyFile, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { createSqliteStore } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "./_run.ts";

/** A folder whose server runs, with a secret, a record of three revisions and some calls. */
async function servedFolder(): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), "tools: { packs: { utility: true } }\npolicy: { unknownAgents: allow }\n");
  const server = await openServer({ folder, port: 0, logLevel: "silent" });
  onTestFinished(() => server.close());
  const { rack } = server;
  await rack.secrets.set("token", "the value");
  let version: number | undefined;
  for (const text of ["one", "two", "three"]) {
    const written = await rack.store.put({
      id: "setting-note",
      schema_name: "note.v1",
      title: "n",
      context: { text },
      ...(version !== undefined && { version }),
    });
    version = written.ok ? written.record.version : undefined;
  }
  for (let index = 0; index < 3; index++) await rack.registry.invoke("random", { min: 1, max: 6 }, { caller: { agent: "a" } });
  return folder;
}

/** Another machine: the same configuration, an empty store, and the master key where it is given. */
async function otherFolder(from: string, { withKey = true } = {}): Promise<string> {
  const folder = temporaryFolder();
  await copyFile(join(from, "toolrack.config.yaml"), join(folder, "toolrack.config.yaml"));
  if (withKey) {
    await mkdir(join(folder, ".toolrack"), { mode: 0o700 });
    await copyFile(join(from, ".toolrack/master.key"), join(folder, ".toolrack/master.key"));
  }
  return folder;
}

const environment = { NO_COLOR: "1" };

describe("toolrack backup and restore", () => {
  it("BK14: a backup of a running server restores on another machine, which then serves it", async () => {
    const folder = await servedFolder();
    const made = await run(["backup", "b.backup"], { folder, environment });
    expect(made).toMatchObject({ code: 0, errors: "" });
    expect(made.output).toMatch(/Backed up .*1 secret[^]*master key, which is not in the file/);
    expect(statSync(join(folder, "b.backup")).mode & 0o777).toBe(0o600);
    const other = await otherFolder(folder);
    await copyFile(join(folder, "b.backup"), join(other, "b.backup"));
    const checked = await run(["restore", "--check", "b.backup"], { folder: other, environment });
    expect(checked.output).toMatch(/Backup intact[^]*Nothing was written/);
    expect(existsSync(join(other, ".toolrack/toolrack.db"))).toBe(false);
    const restored = await run(["restore", "b.backup"], { folder: other, environment });
    expect(restored).toMatchObject({ code: 0, errors: "" });
    expect(restored.output).toMatch(/Restored .* into [^]*Audit intact: \d+ lines/);
    expect((await run(["history", "setting-note", "--json"], { folder: other, environment })).output).toContain('"three"');
    expect((await run(["audit", "verify"], { folder: other, environment })).output).toMatch(/Audit intact/);
    expect((await run(["secrets", "list"], { folder: other, environment })).output).toMatch(/token +set/);
    const again = await run(["store", "restore", "b.backup"], { folder: other, environment });
    expect(again).toMatchObject({ code: 3, errors: expect.stringMatching(/not empty/) });
  });

  it("leaves secrets set whose master key is not there; secrets list says that they are unreadable, and what to do", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "toolrack.config.yaml"), "{}\n");
    await run(["secrets", "set", "token"], { folder, environment, input: "the value" });
    const listed = async (more: object) => run(["secrets", "list"], { folder, environment: { ...environment, ...more } });
    const other = await listed({ TOOLRACK_MASTER_KEY: "ab".repeat(32) });
    expect(other).toMatchObject({
      code: 0,
      output: expect.stringMatching(/token +unreadable +set by .*TOOLRACK_PREVIOUS_KEYS and restart/s),
    });
    const own = await listed({});
    expect(own).toMatchObject({ code: 0, output: expect.stringMatching(/token +set /) });
    expect(own.output).not.toContain("TOOLRACK_PREVIOUS_KEYS");
  });

  it("BK17: is not made with another master key than that of the secrets, and leaves other people's folders as they are", async () => {
    const folder = await servedFolder();
    const wrong = { ...environment, TOOLRACK_MASTER_KEY: "ab".repeat(32) };
    expect(await run(["backup", "b.backup"], { folder, environment: wrong })).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/does not open 1 secret and the key of the audit.*TOOLRACK_MASTER_KEY/),
    });
    expect(existsSync(join(folder, "b.backup"))).toBe(false);
    const shared = join(folder, "shared");
    await mkdir(shared);
    await chmod(shared, 0o755);
    expect(await run(["store", "copy", ".toolrack/toolrack.db", "shared/copy.db"], { folder, environment })).toMatchObject({ code: 0 });
    expect((await stat(shared)).mode & 0o777).toBe(0o755);
  });

  it("BK15: names the master key that is missing or does not fit, and goes on without secrets only when told to", async () => {
    const folder = await servedFolder();
    await run(["store", "backup", "b.backup"], { folder, environment });
    const other = await otherFolder(folder, { withKey: false });
    await copyFile(join(folder, "b.backup"), join(other, "b.backup"));
    const missing = await run(["restore", "b.backup"], { folder: other, environment });
    expect(missing).toMatchObject({ code: 2, errors: expect.stringMatching(/master key.*is missing.*--key-file/) });
    const wrong = { ...environment, TOOLRACK_MASTER_KEY: "ab".repeat(32) };
    expect(await run(["restore", "b.backup"], { folder: other, environment: wrong })).toMatchObject({
      code: 3,
      errors: expect.stringMatching(/sealed with the master key/),
    });
    expect(existsSync(join(other, ".toolrack/toolrack.db"))).toBe(false);
    const named = await run(["restore", "--check", "--key-file", join(folder, ".toolrack/master.key"), "b.backup"], {
      folder: other,
      environment,
    });
    expect(named).toMatchObject({ code: 0, output: expect.stringMatching(/seal is valid/) });
    const without = await run(["restore", "--without-secrets", "b.backup"], { folder: other, environment });
    expect(without.output).toMatch(/1 secret was skipped/);
    expect(without.output).toMatch(/not verified/);
    expect(without.code).toBe(0);
  });

  it("BK16: tells a backup from a revision by what is given", async () => {
    const folder = await servedFolder();
    expect(await run(["restore", "note"], { folder, environment })).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/no backup file "note".*toolrack restore note <version>/),
    });
    const record = await run(["restore", "setting-note", "1"], { folder, environment });
    expect(record).toMatchObject({ code: 0, output: expect.stringMatching(/Restored version 1 of setting-note/) });
    expect(await run(["restore", "--check", "setting-note", "1"], { folder, environment })).toMatchObject({ code: 2 });
    writeFileSync(join(folder, "broken"), "no backup");
    expect(await run(["restore", "broken"], { folder, environment })).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/cannot be unpacked/),
    });
    expect(await run(["backup", "broken"], { folder, environment })).toMatchObject({ code: 2, errors: expect.stringMatching(/already/) });
  });
});

describe("toolrack store copy", () => {
  it("takes the variable that is named, also the one that names the store of a server", async () => {
    const folder = await servedFolder();
    const copied = await run(["store", "copy", ".toolrack/toolrack.db", "env:DATABASE_URL"], {
      folder,
      environment: { ...environment, DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" },
    });
    expect(copied.code).not.toBe(0);
    expect(copied.errors).toContain("127.0.0.1:1");
    expect(copied.errors).not.toContain("is not set");
    const unset = await run(["store", "copy", ".toolrack/toolrack.db", "env:DATABASE_URL"], { folder, environment });
    expect(unset.errors).toContain('"env:DATABASE_URL", and that variable is not set');
  });

  it("CP5: copies a store that is served, and wraps its secrets for the key of the target", async () => {
    const folder = await servedFolder();
    const key = join(folder, "other.key");
    writeFileSync(key, `${Buffer.alloc(32, 9).toString("base64")}\n`, { mode: 0o600 });
    const words = ["store", "copy", ".toolrack/toolrack.db", "new/copy.db", "--to-key-file", key];
    const copied = await run(words, { folder, environment });
    expect(copied).toMatchObject({ code: 0, errors: "" });
    expect(copied.output).toMatch(/everything up to change \d+[^]*Audit intact[^]*1 secret was re-encrypted with the master key/);
    expect(readFileSync(join(folder, "new/copy.db-audit-key"), "utf8")).toBe(
      readFileSync(join(folder, ".toolrack/toolrack.db-audit-key"), "utf8"),
    );
    const store = await createSqliteStore({ path: join(folder, "new/copy.db") });
    expect((await store.history("setting-note")).map(({ record }) => record.version)).toEqual([3, 2, 1]);
    await store.close();
    expect(await run(words, { folder, environment })).toMatchObject({ code: 3, errors: expect.stringMatching(/not empty/) });
    const self = await run(["store", "copy", ".toolrack/toolrack.db", ".toolrack/toolrack.db"], { folder, environment });
    expect(self).toMatchObject({ code: 2, errors: expect.stringMatching(/into itself/) });
    const nothing = await run(["store", "copy", "nothing.db", "x.db"], { folder, environment });
    expect(nothing).toMatchObject({ code: 2, errors: expect.stringMatching(/no store at/) });
    expect(existsSync(join(folder, "nothing.db"))).toBe(false);
  });
});
