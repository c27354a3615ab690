import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createFakeClock } from "@toolrack/core/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { backUpStore } from "../../src/copy/back-up.ts";
import type { CopyProgress } from "../../src/copy/content.ts";
import { copyStore } from "../../src/copy/copy-store.ts";
import { checkBackup, restoreStore } from "../../src/copy/restore.ts";
import { createKeyCheck, rewrapSecret } from "../../src/copy/sealing.ts";
import { knownMigrations } from "../../src/engines/migration-names.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { auditKeySchema } from "../../src/secrets/audit-key.ts";
import { createSecrets } from "../../src/secrets/secrets.ts";
import { createStore, insideOf } from "../../src/store/create-store.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";
import { copyKeys, dump, fillSample } from "../../src/testing/contract/copy.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-copy-"));
const keys = copyKeys(1);
const now = 1_800_000_000_000;
const clock = createFakeClock(now);
const stores: BreadcrumbStore[] = [];
function memory(): BreadcrumbStore {
  const store = createStore(createMemoryEngine(), { clock });
  stores.push(store);
  return store;
}
let source: BreadcrumbStore;
let file: string;
beforeAll(async () => {
  source = memory();
  await fillSample(source, keys);
  file = join(folder, "sample.backup");
  await backUpStore(source, file, { keys });
});
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => vi.restoreAllMocks());

const counts = { change: 12, head: 9, audit: 253, secret: 1, answer: 1, logged: 1, session: 2, message: 61, inbox: 2, task: 30 };
const auditKeyId = (): string => [...insideOf(source).auditKeys.known.keys()][0]!;

async function header() {
  const { ends } = await insideOf(source).engine.snapshot(async (snapshot) => ({ ends: await snapshot.ends() }));
  return { createdAt: new Date(now).toISOString(), migrations: await knownMigrations(), ends, counts, running: 0 };
}

/** Whether this process has the file open; undefined where that cannot be known. */
function isOpen(path: string): boolean | undefined {
  if (process.platform !== "linux") return undefined;
  return readdirSync("/proc/self/fd").some((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(path);
    } catch {
      return false;
    }
  });
}

const reader = () => source.as({ owner: "local", agent: "r", roles: ["subscriber"] });

describe("a copy", () => {
  it("is reported as a whole, and tells how far it is", async () => {
    const told: CopyProgress[] = [];
    const target = memory();
    const report = await copyStore(source, target, { keys, onProgress: (progress) => void told.push(progress) });
    expect(await dump(target)).toEqual(await dump(source));
    expect(report).toEqual({
      ...(await header()),
      rewrapped: 0,
      audit: expect.objectContaining({ ok: true }),
      auditKeyId: auditKeyId(),
      unreadableAuditKeys: [],
    });
    const all = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
    expect([told.at(-1), new Set(told.map((one) => one.total))]).toEqual([{ done: all, total: all }, new Set([all])]);
    expect(told[0]!.done < all).toBe(true);
  });

  it("says which secrets the master key does not open, before anything is written", async () => {
    const other = copyKeys(3);
    await expect(copyStore(source, memory(), { keys: other })).rejects.toMatchObject({
      code: "SECRET_UNREADABLE",
      message: `The master key ${other.keyId} does not open 1 of 1 secrets (token) and the key of the audit. Give the master key that the store had, or leave the secrets out.`,
    });
  });

  it("goes into an empty store, and says what another one has", async () => {
    const full = memory();
    written(await full.put(note("mine")));
    const { last } = await insideOf(full).engine.auditEnds();
    await expect(copyStore(source, full, { keys })).rejects.toMatchObject({
      code: "STORE_NOT_EMPTY",
      message: `The store is not empty: it has 1 changes, ${last.number} lines of audit and 0 sessions. Choose a new file or an empty database; nothing was written.`,
    });
    const secret = memory();
    await insideOf(secret).engine.write((tx) =>
      tx.saveSecret({ owner: "o", name: "n", version: 1, keyId: "k", wrappedKey: "w", sealed: "s", updatedAt: 1 }),
    );
    await expect(copyStore(source, secret, { keys })).rejects.toMatchObject({ code: "STORE_NOT_EMPTY" });
  });

  it("is for curators of both stores", async () => {
    await expect(copyStore(reader(), memory(), { keys })).rejects.toThrow(/copy the store/);
    const target = memory().as({ owner: "local", agent: "r", roles: ["subscriber"] });
    await expect(copyStore(source, target, { keys })).rejects.toThrow(/fill a store/);
    await expect(backUpStore(reader(), join(folder, "no"), {})).rejects.toThrow(/back up the store/);
    await expect(restoreStore(target, file)).rejects.toThrow(/restore a back-up/);
  });

  it("writes the key of the audit anew in the name of who copies, where the master key is another one", async () => {
    const target = memory().as({ owner: "local", agent: "mover", roles: ["curator"] });
    const newKeys = copyKeys(2);
    const report = await copyStore(source, target, { keys, newKeys });
    expect([report.rewrapped, report.audit.ok]).toEqual([1, true]);
    const inner = target.as({ owner: "inner", agent: "x", roles: ["curator"] });
    const [key] = await inner.searchBreadcrumbs({ schema_name: auditKeySchema } as never);
    expect(await inner.get(key!.id)).toMatchObject({ version: 2, updated_by: "mover" });
  });
});

describe("a back-up", () => {
  it("is on disk before it has its name, reported as a whole, and closed", async () => {
    const path = join(folder, "synced.backup");
    const handle = await open(file);
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "sync");
    await handle.close();
    const told: CopyProgress[] = [];
    const report = await backUpStore(source, path, { keys, onProgress: (progress) => void told.push(progress) });
    expect(sync).toHaveBeenCalledTimes(1);
    expect(report).toEqual({ ...(await header()), file: path, bytes: statSync(path).size });
    expect(told.at(-1)!.done).toBe(told.at(-1)!.total);
    expect(isOpen(path)).not.toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("does not begin where a file has its name, and does not replace one that came meanwhile", async () => {
    const path = join(folder, "taken.backup");
    const message = `There is a file ${path} already, and a back-up never replaces a file. Choose another name.`;
    const onProgress = vi.fn(() => writeFileSync(path, "mine"));
    await expect(backUpStore(source, path, { onProgress })).rejects.toMatchObject({ code: "QUERY_INVALID", message });
    expect(onProgress).toHaveBeenCalled();
    onProgress.mockClear();
    await expect(backUpStore(source, path, { onProgress })).rejects.toMatchObject({ code: "QUERY_INVALID", message });
    expect(onProgress).not.toHaveBeenCalled();
    expect([readFileSync(path, "utf8"), readdirSync(folder).filter((name) => name.endsWith(".part"))]).toEqual(["mine", []]);
  });

  it("stops when it is told to, and leaves nothing behind", async () => {
    const path = join(folder, "stopped.backup");
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    await expect(backUpStore(source, path, { signal: controller.signal, onProgress })).rejects.toMatchObject({ name: "AbortError" });
    expect(readdirSync(folder).filter((name) => name.startsWith("stopped"))).toEqual([]);
    expect(isOpen(path)).not.toBe(true);
  });

  it("is checked as a whole, with the master key and without", async () => {
    const check = { ...(await header()), unreadableAuditKeys: [] };
    expect(await checkBackup(file, { keys })).toEqual({ ...check, isSealed: true });
    expect(await checkBackup(file)).toEqual({ ...check, isSealed: false });
    expect(isOpen(file)).not.toBe(true);
  });

  it("is restored with a report of everything, and progress", async () => {
    const told: CopyProgress[] = [];
    const restored = await restoreStore(memory(), file, { keys, onProgress: (progress) => void told.push(progress) });
    expect(restored).toEqual({
      ...(await header()),
      isSealed: true,
      unreadableAuditKeys: [],
      rewrapped: 0,
      leftOut: 0,
      audit: expect.objectContaining({ ok: true }),
      auditKeyId: auditKeyId(),
    });
    expect(told.at(-1)!.done).toBe(told.at(-1)!.total);
    expect(isOpen(file)).not.toBe(true);
  });

  it("without the master key is restored without its secrets, whose records end, and with the key of the audit as it was", async () => {
    const target = memory();
    expect(await restoreStore(target, file)).toEqual({
      ...(await header()),
      isSealed: false,
      unreadableAuditKeys: [],
      rewrapped: 0,
      leftOut: 1,
      audit: undefined,
      auditKeyId: undefined,
    });
    const secrets = await createSecrets(target, { keys });
    expect(await secrets.list()).toEqual([]);
    await secrets.close();
    const inner = target.as({ owner: "inner", agent: "x", roles: ["curator"] });
    expect(await inner.searchBreadcrumbs({ schema_name: auditKeySchema } as never)).toHaveLength(1);
  });

  it("is restored in the name of who restores it, where something is written anew", async () => {
    const target = memory().as({ owner: "local", agent: "mover", roles: ["curator"] });
    const restored = await restoreStore(target, file, { keys, newKeys: copyKeys(2) });
    expect([restored.rewrapped, restored.audit!.ok]).toEqual([1, true]);
    const inner = target.as({ owner: "inner", agent: "x", roles: ["curator"] });
    expect(await inner.get("audit-key")).toMatchObject({ version: 2, updated_by: "mover" });
  });

  it("is not read further when it is told to stop, and nothing is written", async () => {
    await expect(checkBackup(file, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    const controller = new AbortController();
    const target = memory();
    const onProgress = () => controller.abort(new Error("enough"));
    await expect(restoreStore(target, file, { keys, signal: controller.signal, onProgress })).rejects.toThrow("enough");
    expect(await target.sequence()).toBe(0);
    expect(isOpen(file)).not.toBe(true);
  });

  it.each([
    [
      "something that is not packed",
      "not gzip",
      /^The back-up cannot be unpacked \(.+\): it is damaged or incomplete\. Nothing was written\.$/,
    ],
    ["nothing", gzipSync(""), /^The back-up breaks off after line 0: it is incomplete\. Make another one\.$/],
  ])("is refused where it is %s", async (_, content, message) => {
    const path = join(folder, "wrong.backup");
    writeFileSync(path, content);
    await expect(checkBackup(path)).rejects.toMatchObject({ code: "BACKUP_INVALID", message: expect.stringMatching(message) });
    expect(isOpen(path)).not.toBe(true);
  });

  it("is refused where there is none", async () => {
    const path = join(folder, "none.backup");
    await expect(checkBackup(path)).rejects.toMatchObject({
      code: "BACKUP_INVALID",
      message: `The back-up ${path} cannot be read: ENOENT.`,
    });
    await expect(checkBackup(folder)).rejects.toMatchObject({
      code: "BACKUP_INVALID",
      message: `${folder} is not a file. Name a back-up.`,
    });
    expect(isOpen(folder)).not.toBe(true);
  });

  it("says what is wrong with its seal", async () => {
    const plain = join(folder, "plain.backup");
    await backUpStore(source, plain);
    await expect(checkBackup(plain, { keys })).rejects.toMatchObject({
      code: "BACKUP_INVALID",
      message: "The back-up has no seal, so its author cannot be verified. Restore it without secrets, if you trust it.",
    });
    const other = copyKeys(9);
    await expect(checkBackup(file, { keys: other })).rejects.toMatchObject({
      code: "KEY_INVALID",
      message: `The back-up was sealed with the master key ${keys.keyId}, and the one at hand is ${other.keyId}, or the seal was changed. Give the master key that the store had.`,
    });
    const swapped = { ...keys, unwrap: async () => new Uint8Array(32) };
    await expect(checkBackup(file, { keys: swapped })).rejects.toMatchObject({
      code: "BACKUP_INVALID",
      message: "The seal is of another back-up. Nothing was written.",
    });
  });
});

describe("the secrets of a copy", () => {
  const row = async (name: string, by = keys) => ({
    owner: "o",
    name,
    version: 1,
    keyId: by.keyId,
    wrappedKey: await by.wrap(new Uint8Array(32), `secret o ${name}`),
    sealed: "s",
    updatedAt: 1,
  });

  it("that do not open are named, five at most", async () => {
    const check = createKeyCheck(keys);
    check.requireFit();
    const rows = await Promise.all(["a", "b", "c", "d", "e"].map((name) => row(name)));
    await check.look({ kind: "secret", rows });
    const message = (text: string) =>
      `The master key ${keys.keyId} does not open ${text}. Give the master key that the store had, or leave the secrets out.`;
    expect(() => check.requireFit()).toThrow(message("5 of 5 secrets (a, b, c, d, e)"));
    await check.look({ kind: "secret", rows: [await row("f")] });
    expect(() => check.requireFit()).toThrow(message("6 of 6 secrets (a, b, c, d, e …)"));
  });

  it("are wrapped by the new key, and left alone where they are", async () => {
    const one = await row("a");
    expect(await rewrapSecret(one, copyKeys(3), keys)).toBe(one);
    await expect(rewrapSecret(one, copyKeys(3), copyKeys(4))).rejects.toMatchObject({
      code: "SECRET_UNREADABLE",
      message: 'The secret "a" does not open with the master key at hand.',
    });
  });
});
