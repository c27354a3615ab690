import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";

const refusal = (file: string): object => ({
  code: "CONFIG_INVALID",
  message: expect.stringContaining(`chmod 600 ${file}`) as string,
});

describe("the owner's token", () => {
  it("SD10: is made once beside the store, readable by its owner alone", async () => {
    const folder = temporaryFolder();
    const rack = await openTestRack({ folder, config: {} });
    const file = join(folder, ".toolrack", "owner.token");
    expect(rack.ownerToken).toMatchObject({ file, text: expect.stringMatching(/^tro_[\w-]{43}$/) as string });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").trim()).toBe(rack.ownerToken.text);
    const again = await openTestRack({ folder, config: {} });
    expect(again.ownerToken.text).toBe(rack.ownerToken.text);
    expect(again.ownerToken.matches(rack.ownerToken.text)).toBe(true);
    expect(again.ownerToken.matches(`${rack.ownerToken.text}x`)).toBe(false);
  });

  it("SD10: is known to the process alone where nothing outlives it", async () => {
    const [one, two] = [await openTestRack(), await openTestRack()];
    expect(one.ownerToken.file).toBeUndefined();
    expect(one.ownerToken.text).not.toBe(two.ownerToken.text);
  });

  it("SD17: is refused where others may read its file, or it holds something else", async () => {
    const folder = temporaryFolder();
    await openTestRack({ folder, config: {} });
    const file = join(folder, ".toolrack", "owner.token");
    chmodSync(file, 0o640);
    await expect(openTestRack({ folder, config: {} })).rejects.toMatchObject(refusal(file));
    chmodSync(file, 0o600);
    writeFileSync(file, "tro_short\n");
    await expect(openTestRack({ folder, config: {} })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("the master key", () => {
  it("SD17: is refused where others may read its file, also the one that TOOLRACK_MASTER_KEY_FILE names", async () => {
    const folder = temporaryFolder();
    await openTestRack({ folder, config: {} });
    const own = join(folder, ".toolrack", "master.key");
    chmodSync(own, 0o604);
    await expect(openTestRack({ folder, config: {} })).rejects.toMatchObject(refusal(own));
    const file = join(folder, "named.key");
    writeFileSync(file, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
    const environment = { TOOLRACK_MASTER_KEY_FILE: file };
    await openTestRack({ folder: temporaryFolder(), config: {}, environment });
    chmodSync(file, 0o644);
    await expect(openTestRack({ folder: temporaryFolder(), config: {}, environment })).rejects.toMatchObject(refusal(file));
  });
});
