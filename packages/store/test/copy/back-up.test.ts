import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { backUpStore } from "../../src/copy/back-up.ts";
import { sealAbout } from "../../src/copy/backup-lines.ts";
import { checkBackup, restoreStore } from "../../src/copy/restore.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { createSecrets } from "../../src/secrets/secrets.ts";
import { insideOf } from "../../src/store/create-store.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";
import { copyKeys, dump, fillSample } from "../../src/testing/contract/copy.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const opened: BreadcrumbStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
let count = 0;
const fresh = (ending: string): string => join(folder, `${count++}${ending}`);
const remember = (store: BreadcrumbStore): BreadcrumbStore => (opened.push(store), store);
const sqlite = async (path = fresh(".db")): Promise<BreadcrumbStore> => remember(await createSqliteStore({ path }));
const memory = (): BreadcrumbStore => remember(createMemoryStore());
const keys = copyKeys(1);

async function sampleBackup(): Promise<{ readonly file: string; readonly store: BreadcrumbStore }> {
  const store = await sqlite();
  await fillSample(store, keys);
  const file = fresh(".backup");
  await backUpStore(store, file, { keys });
  return { file, store };
}

/** A back-up with other lines, and a digest that fits them: what somebody without the master key can make. */
function forge(file: string, change: (lines: string[]) => void, { seal = true } = {}): string {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  const { end } = JSON.parse(lines.pop()!) as { end: { seal?: unknown } };
  change(lines);
  const text = lines.map((line) => `${line}\n`).join("");
  const forged = { lines: lines.length, sha256: createHash("sha256").update(text).digest("hex"), ...(seal && { seal: end.seal }) };
  const other = fresh(".backup");
  writeFileSync(other, gzipSync(`${text}${JSON.stringify({ end: forged })}\n`));
  return other;
}

async function refused(file: string, code: string, options = {}): Promise<void> {
  const target = memory();
  await expect(restoreStore(target, file, { keys, ...options })).rejects.toMatchObject({ code });
  expect(await target.sequence()).toBe(0);
  expect((await insideOf(target).engine.auditEnds()).last.number).toBe(0);
}

describe("a back-up", () => {
  it("BK1: restores into any store with everything as it was, and the audit verifies", async () => {
    const { file, store } = await sampleBackup();
    for (const target of [memory(), await sqlite()]) {
      const report = await restoreStore(target, file, { keys });
      expect(report).toMatchObject({ isSealed: true, leftOut: 0, rewrapped: 0, audit: { ok: true } });
      expect(await dump(target)).toEqual(await dump(store));
    }
  });

  it("BK2: is for its owner alone, holds no key in the clear, and leaves nothing beside it", async () => {
    const { file } = await sampleBackup();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    const text = gunzipSync(readFileSync(file)).toString();
    for (const plain of ["the value", Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 1).toString("hex")])
      expect(text).not.toContain(plain);
    const { known } = insideOf(opened[0]!).auditKeys;
    expect(known.size).toBe(1);
    for (const { bytes } of known.values())
      for (const form of ["base64", "base64url", "hex"] as const) expect(text).not.toContain(Buffer.from(bytes).toString(form));
  });

  it("BK3: replaces no file, and leaves none behind when it fails", async () => {
    const { file, store } = await sampleBackup();
    const before = readFileSync(file);
    await expect(backUpStore(store, file, { keys })).rejects.toThrow(/already/);
    expect(readFileSync(file).equals(before)).toBe(true);
    const other = fresh(".backup");
    await expect(backUpStore(store, other, { keys, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(other)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("BK4: is whole while others write to the store", async () => {
    const path = fresh(".db");
    const [store, other] = [await sqlite(path), await sqlite(path)];
    for (let index = 0; index < sized(100, 300); index++) written(await store.put(note(`n${index}`)));
    const controller = new AbortController();
    const writing = (async () => {
      for (let index = 0; !controller.signal.aborted; index++) {
        written(await other.put(note(`m${index}`)));
        await setImmediate(); // the other one wants its turn
      }
    })();
    const file = fresh(".backup");
    const { ends } = await backUpStore(store, file, { keys });
    controller.abort();
    await writing;
    const target = memory();
    await restoreStore(target, file, { keys });
    expect(await target.sequence()).toBe(ends.sequence);
    expect((await target.searchBreadcrumbs()).length).toBe(ends.sequence);
  });

  it("BK5: is refused where a byte was changed, a line is missing, or it breaks off", async () => {
    const { file } = await sampleBackup();
    const bytes = readFileSync(file);
    for (const cut of [10, Math.floor(bytes.length / 2), bytes.length - 9]) {
      const other = fresh(".backup");
      writeFileSync(other, bytes.subarray(0, cut));
      await refused(other, "BACKUP_INVALID");
    }
    const text = gunzipSync(bytes).toString();
    const repacked = (changed: string): string => {
      const other = fresh(".backup");
      writeFileSync(other, gzipSync(changed));
      return other;
    };
    await refused(repacked(text.replace("Größe", "Grösse")), "BACKUP_INVALID");
    await refused(repacked(text.split("\n").toSpliced(3, 1).join("\n")), "BACKUP_INVALID");
    await refused(repacked(text.slice(0, text.lastIndexOf('{"end"'))), "BACKUP_INVALID");
    await refused(repacked(`${text}{"change":{}}\n`), "BACKUP_INVALID");
    const noise = fresh(".backup");
    writeFileSync(noise, "not gzip");
    await refused(noise, "BACKUP_INVALID");
    await refused(join(folder, "nothing"), "BACKUP_INVALID");
    await refused(folder, "BACKUP_INVALID");
  });

  it("BK6: is refused where somebody without the master key made it, although its digest fits", async () => {
    const { file } = await sampleBackup();
    const approve = (lines: string[]): void => {
      lines.forEach((line, index) => (lines[index] = line.replace('"Does greet"', '"Does anything"')));
    };
    await refused(forge(file, approve), "BACKUP_INVALID");
    await refused(forge(file, approve, { seal: false }), "BACKUP_INVALID");
    await refused(file, "KEY_INVALID", { keys: copyKeys(9) });
  });

  it("BK6: is refused where somebody changed it between the check and the reading", async () => {
    const { file } = await sampleBackup();
    const other = forge(file, (lines) => lines.forEach((line, index) => (lines[index] = line.replace('"Does greet"', '"Does anything"'))));
    const swapping: typeof keys = {
      ...keys,
      unwrap(keyId, wrapped, about) {
        if (about === sealAbout) writeFileSync(file, readFileSync(other));
        return keys.unwrap(keyId, wrapped, about);
      },
    };
    await refused(file, "BACKUP_INVALID", { keys: swapping });
  });

  it("BK7: refuses rows of another form, out of order, or more than it says", async () => {
    const { file } = await sampleBackup();
    const without = { keys: undefined };
    const attempts: ((lines: string[]) => void)[] = [
      (lines) => void lines.push('{"path":"../../etc/passwd"}'),
      (lines) => void lines.push(lines[1]!),
      (lines) => void ([lines[1], lines[2]] = [lines[2]!, lines[1]!]),
      (lines) => void (lines[1] = '{"change":{"sequence":-1}}'),
      (lines) => void (lines[1] = lines[1]!.replace('"tags":[', '"tags":[1,')),
      (lines) => void (lines[1] = lines[1]!.replace('"context":{', `"context":{"a":${"[".repeat(500)}${"]".repeat(500)},`)),
      (lines) => void (lines[1] = `{"change":"${"x".repeat(34_000_000)}"}`),
      (lines) => void (lines[0] = lines[0]!.replace('"version":1', '"version":2')),
      (lines) => void (lines[0] = lines[0]!.replace('"migrations":[', '"migrations":["9999-newer",')),
      (lines) => void (lines[0] = lines[0]!.replace("toolrack-backup", "something")),
      (lines) => void (lines[0] = "null"),
      (lines) => void (lines[1] = '{"__proto__":{"x":1}}'),
    ];
    for (const attempt of attempts) await refused(forge(file, attempt), "BACKUP_INVALID", without);
  });

  it("BK8: is checked without a store", async () => {
    const { file } = await sampleBackup();
    expect(await checkBackup(file, { keys })).toMatchObject({ isSealed: true, counts: { secret: 1 } });
    expect(await checkBackup(file)).toMatchObject({ isSealed: false });
    await expect(checkBackup(file, { keys: copyKeys(7) })).rejects.toMatchObject({ code: "KEY_INVALID" });
  });

  it("BK8: is not called restorable with a key that opens its seal and not its secrets", async () => {
    const { store } = await sampleBackup();
    const file = fresh(".backup");
    await backUpStore(store, file, { keys: createKeys({ current: Buffer.alloc(32, 2), previous: [Buffer.alloc(32, 1)] }) });
    await expect(checkBackup(file, { keys: copyKeys(2) })).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
    await refused(file, "SECRET_UNREADABLE", { keys: copyKeys(2) });
  });

  it("BK9: without the master key leaves the secrets out, and each is asked for again", async () => {
    const { file } = await sampleBackup();
    const target = memory();
    expect(await restoreStore(target, file)).toMatchObject({ leftOut: 1, isSealed: false, audit: undefined });
    expect(await insideOf(target).engine.secretNames("local")).toEqual([]);
    const secrets = await createSecrets(target, { keys: copyKeys(5) });
    expect(await secrets.list()).toEqual([]);
    expect(secrets.has("token")).toBe(false);
    await secrets.close();
  });

  it("BK10: goes under another master key where the new store has one", async () => {
    const { file } = await sampleBackup();
    const target = memory();
    const newKeys = copyKeys(6);
    const report = await restoreStore(target, file, { keys, newKeys });
    expect(report).toMatchObject({ rewrapped: 1, audit: { ok: true } });
    const secrets = await createSecrets(target, { keys: newKeys });
    expect(await secrets.get({ name: "token", tool: "t", callId: "c", caller: {} })).toBe("the value");
    await secrets.close();
    const inner = target.as({ owner: "inner", agent: "server", roles: ["curator"] });
    expect(await keyAudit(inner, newKeys)).toMatchObject({ unreadable: [], keyId: report.auditKeyId });
  });

  it("BK11: goes into an empty store only", async () => {
    const { file } = await sampleBackup();
    const target = memory();
    written(await target.put(note("mine")));
    await expect(restoreStore(target, file, { keys })).rejects.toMatchObject({
      code: "STORE_NOT_EMPTY",
      message: expect.stringMatching(/1 changes/),
    });
    expect(await target.sequence()).toBe(1);
  });

  it("BK12: opens secrets of a master key that was changed since, with the previous ones at hand", async () => {
    const { file } = await sampleBackup();
    const both = createKeys({ current: Buffer.alloc(32, 2), previous: [Buffer.alloc(32, 1)] });
    expect(await restoreStore(memory(), file, { keys: both })).toMatchObject({ rewrapped: 1, audit: { ok: true } });
  });

  it("BK13: is more than a copy of the database file, which lacks what stands in the log beside it", async () => {
    const path = fresh(".db");
    const store = await sqlite(path);
    written(await store.put(note("a")));
    const copied = fresh(".db");
    copyFileSync(path, copied);
    const copy = await sqlite(copied);
    expect(await copy.get("a")).toBeUndefined();
    const file = fresh(".backup");
    await backUpStore(store, file, { keys });
    const restored = await sqlite();
    await restoreStore(restored, file, { keys });
    expect(await restored.get("a")).toBeDefined();
  });
});
