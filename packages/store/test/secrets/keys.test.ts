import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createKeys, keysFromEnvironment } from "../../src/secrets/keys.ts";
import { seal, unseal } from "../../src/secrets/seal.ts";

const key = Buffer.alloc(32, 1);

describe("master keys", () => {
  it("come from a variable, or from the file that another names, in base64 or hex", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-key-"));
    writeFileSync(join(folder, "key"), `${key.toString("base64")}\n`);
    const ids = [
      { TOOLRACK_MASTER_KEY: key.toString("hex") },
      { TOOLRACK_MASTER_KEY: key.toString("base64") },
      { TOOLRACK_MASTER_KEY_FILE: join(folder, "key") },
    ].map((environment) => keysFromEnvironment(environment).keyId);
    expect(new Set([...ids, createKeys({ current: key }).keyId]).size).toBe(1);
    rmSync(folder, { recursive: true });
    expect(() => keysFromEnvironment({})).toThrow(/TOOLRACK_MASTER_KEY/);
    expect(() => keysFromEnvironment({ TOOLRACK_MASTER_KEY: "c2hvcnQ=" })).toThrow(/32 bytes/);
    const rotated = keysFromEnvironment({
      TOOLRACK_MASTER_KEY: Buffer.alloc(32, 2).toString("hex"),
      TOOLRACK_PREVIOUS_KEYS: key.toString("hex"),
    });
    const wrapped = createKeys({ current: key }).wrap(Buffer.from("data"), "a") as string;
    expect(rotated.unwrap(ids[0]!, wrapped, "a")).toEqual(Buffer.from("data"));
  });

  it("do not name themselves by anything that helps to guess them", () => {
    expect(createKeys({ current: key }).keyId).not.toContain(key.toString("hex").slice(0, 8));
  });
});

describe("sealing", () => {
  it("opens only with the same key, the same place and no byte changed", () => {
    const sealed = seal(key, Buffer.from("value"), "owner|name|1");
    expect(unseal(key, sealed, "owner|name|1")?.toString()).toBe("value");
    expect(unseal(Buffer.alloc(32, 2), sealed, "owner|name|1")).toBeUndefined();
    expect(unseal(key, sealed, "owner|other|1")).toBeUndefined();
    expect(unseal(key, "", "owner|name|1")).toBeUndefined();
    const bytes = Buffer.from(sealed, "base64");
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(unseal(key, changed.toString("base64"), "owner|name|1")).toBeUndefined();
    }
    expect(seal(key, Buffer.from("value"), "a")).not.toBe(seal(key, Buffer.from("value"), "a"));
  });
});
