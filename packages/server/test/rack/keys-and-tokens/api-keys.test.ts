import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "@toolrack/core/testing";
import { listAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";

describe("API keys", () => {
  it("are shown once, kept as a hash, and good until they are revoked; each deed is in the audit", async () => {
    const folder = temporaryFolder();
    const rack = await openTestRack({ folder, config: {} });
    expect(rack.keys.exist()).toBe(false);
    const { id, secret } = await rack.keys.create({ agent: "helper", roles: ["emitter"], description: "For tests", by: "root" });
    expect(secret).toMatch(/^trk_[0-9a-f]{16}_[\w-]{43}$/);
    expect(rack.keys.exist()).toBe(true);
    expect(await rack.keys.verify(secret)).toMatchObject({ id, agent: "helper", roles: ["emitter"], createdBy: "root" });
    expect(JSON.stringify(await rack.keys.list())).not.toContain(createHash("sha256").update(secret).digest("hex"));
    await rack.close();
    const file = readFileSync(join(folder, ".toolrack/toolrack.db")).toString("latin1");
    expect(file).not.toContain(secret.slice(-43));

    const again = await openTestRack({ folder, config: {} });
    expect(await again.keys.verify(secret)).toMatchObject({ id });
    for (const wrong of [
      `${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`,
      secret.slice(0, -1),
      "",
      `trk_${"0".repeat(16)}_${"x".repeat(43)}`,
    ])
      expect(await again.keys.verify(wrong)).toBeUndefined();
    expect(await again.keys.revoke(id, "auth0|ann")).toBe(true);
    expect(await again.keys.revoke(id, "root")).toBe(false);
    expect(await again.keys.revoke("../x", "root")).toBe(false);
    expect(await again.keys.verify(secret)).toBeUndefined();
    expect(again.keys.exist()).toBe(false);
    const lines = (await listAudit(again.store)).filter(({ kind }) => kind !== "definition-log");
    expect(lines.map(({ kind, subject, agent }) => [kind, subject, agent])).toEqual([
      ["key-revoked", id, "auth0|ann"],
      ["key-created", id, "root"],
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it("expire, and an expired one still counts as a key", async () => {
    const clock = createFakeClock(1_000_000);
    const rack = await openTestRack({ clock });
    const { secret } = await rack.keys.create({ agent: "helper", roles: [], expiresAt: 1_001_000, by: "root" });
    await clock.advance(999);
    expect(await rack.keys.verify(secret)).toBeDefined();
    await clock.advance(1);
    expect(await rack.keys.verify(secret)).toBeUndefined();
    expect(rack.keys.exist()).toBe(true);
  });

  it("tell once that they expired or were revoked, and nobody who stopped listening", async () => {
    const clock = createFakeClock(1_000_000);
    const { keys } = await openTestRack({ clock });
    const short = await keys.create({ agent: "helper", roles: [], expiresAt: 1_001_000, by: "root" });
    const other = await keys.create({ agent: "other", roles: [], expiresAt: 1_002_000, by: "root" });
    const told: unknown[] = [];
    const stop = keys.onEnd((ended) => void told.push(ended));
    await clock.advance(1_000);
    await keys.revoke(short.id, "root");
    const ofHelper = { id: short.id, agent: "helper" };
    await expect
      .poll(() => told)
      .toEqual([
        { ...ofHelper, isExpired: true },
        { ...ofHelper, isExpired: false },
      ]);
    stop();
    await clock.advance(1_000);
    expect(await keys.verify(other.secret)).toBeUndefined();
    expect(told).toHaveLength(2);
  });

  it("are refused for roles and agents that cannot be", async () => {
    const { keys } = await openTestRack();
    await expect(keys.create({ agent: "a", roles: ["root"], by: "x" })).rejects.toThrow(/is not a role/);
    await expect(keys.create({ agent: "a b", roles: [], by: "x" })).rejects.toThrow(/agent/);
    await expect(keys.create({ agent: "a", roles: [], expiresAt: 5, by: "x" })).rejects.toThrow(/in the past/);
  });

  it("cannot be read or written as records by any role of the API", async () => {
    const rack = await openTestRack();
    const { id } = await rack.keys.create({ agent: "helper", roles: [], by: "root" });
    const curator = rack.store.as({ owner: rack.store.actor.owner, agent: "boss", roles: ["curator"] });
    expect(await curator.get(`key-${id}`)).toBeUndefined();
    expect((await curator.search({ schema_name: "toolrack.key.v1" })).records).toEqual([]);
    await curator.put({
      id: "key-0000000000000000",
      schema_name: "toolrack.key.v1",
      context: { agent: "eve", roles: ["admin"], hash: "00" },
    });
    expect((await rack.keys.list()).map(({ agent }) => agent)).toEqual(["helper"]);
  });
});
