import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DatabaseSync } from "@photostructure/sqlite";
import { listAudit, verifyAudit } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { openRack } from "../../../src/rack/open.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { backUpTo, restoreFrom } from "../../../src/rack/store/whole-store.ts";

const fixtures = new URL("../../fixtures/upgrade/", import.meta.url);
const names = ["0011-roster"];
const environment = { TOOLRACK_MASTER_KEY: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" };

/** A copy of a stored fixture, as the older version left it. */
function unpack(name: string): string {
  const folder = temporaryFolder();
  copyFileSync(new URL("toolrack.config.yaml", fixtures), join(folder, "toolrack.config.yaml"));
  writeFileSync(join(folder, "toolrack.db"), gunzipSync(readFileSync(new URL(`${name}.db.gz`, fixtures))), { mode: 0o600 });
  writeFileSync(join(folder, "toolrack.db-audit-key"), readFileSync(new URL(`${name}.audit-key`, fixtures)), { mode: 0o600 });
  chmodSync(folder, 0o700);
  return folder;
}

async function open(folder: string): Promise<Rack> {
  const rack = await openRack({ folder, environment, config: "toolrack.config.yaml" });
  afterThisTest(() => rack.close({ graceMs: 0 }));
  return rack;
}

describe.each(names)("a store that an older version wrote: %s", (name) => {
  it("UP1: keeps its records, their history, configurations, secrets and approvals", async () => {
    const rack = await open(unpack(name));
    const history = await rack.store.history("note-1");
    expect(history.map(({ record }) => record.context["text"])).toEqual(["three", "two", "one"]);
    expect(await rack.store.get("gone")).toBeUndefined();
    expect((await rack.store.history("gone")).map(({ type }) => type)).toEqual(["deleted", "created"]);
    expect(await rack.store.get("tool-def-greet")).toMatchObject({ decision: { decision: "approved" } });
    const secret = await rack.secrets.get({ name: "api-key", tool: "t", callId: "c", caller: {} });
    expect(secret).toBe("a value that only the master key opens");
    expect((await rack.store.searchBreadcrumbs({ schema_name: "tool.config.v1", includeContext: true }))[0]?.context).toMatchObject({
      tool: "random",
    });
    expect(await rack.approvals.remembered()).toMatchObject([{ tool: "random", scope: "always", by: expect.anything() }]);
  });

  it("UP2: has an audit that verifies, before and after new lines", async () => {
    const rack = await open(unpack(name));
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
    expect((await listAudit(rack.store, { kinds: ["call"] })).length).toBe(6);
    await rack.registry.invoke("random", { min: 1, max: 6 }, { caller: { agent: "other" } });
    await until(async () => (await listAudit(rack.store, { kinds: ["call"] })).length === 7);
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
  });

  it("UP3: is upgraded once when two servers open it at the same time, and both use it", async () => {
    const folder = unpack(name);
    const [one, other] = await Promise.all([open(folder), open(folder)]);
    const calls = [one, other, one, other].map((rack) =>
      rack.registry.invoke("random", { min: 1, max: 6 }, { caller: { agent: "other" } }),
    );
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ ok: true });
    await until(async () => (await listAudit(other.store, { kinds: ["call"] })).length === 10);
    await one.store.put({ id: "new", schema_name: "note.v1", title: "New", context: {} });
    expect(await other.store.get("new")).toMatchObject({ version: 1 });
    expect(await verifyAudit(one.store)).toMatchObject({ ok: true });
  });

  it("UP4: is refused by a version that does not know all of its changes, and stays as it is", async () => {
    const folder = unpack(name);
    const file = join(folder, "toolrack.db");
    const database = new DatabaseSync(file);
    database.exec("insert into migrations (name, applied_at) values ('9999-of-a-newer-version', '2030-01-01T00:00:00Z')");
    const rows = (): unknown => database.prepare("select name, number, hash from ends order by name").all();
    const before = rows();
    await expect(openRack({ folder, environment, config: "toolrack.config.yaml" })).rejects.toThrow(
      /newer version.*9999-of-a-newer-version/,
    );
    expect(rows()).toEqual(before);
    database.close();
  });

  it("UP5: can be backed up, and restored into an empty store that serves the same", async () => {
    const folder = unpack(name);
    const backup = join(folder, "old.backup");
    const old = await backUpTo(backup, { folder, environment });
    const other = temporaryFolder();
    copyFileSync(join(folder, "toolrack.config.yaml"), join(other, "toolrack.config.yaml"));
    expect(await restoreFrom(backup, { folder: other, environment })).toMatchObject({
      isSealed: true,
      audit: { ok: true },
      counts: old.counts,
    });
    const rack = await open(other);
    expect(await rack.approvals.remembered()).toMatchObject([{ tool: "random", scope: "always" }]);
    expect(await rack.secrets.get({ name: "api-key", tool: "t", callId: "c", caller: {} })).toBe("a value that only the master key opens");
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
  });
});
