import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { verifyAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";

interface SqliteDriver {
  readonly DatabaseSync: new (path: string) => {
    prepare(sql: string): { all(): Record<string, unknown>[]; run(...values: readonly (string | number)[]): unknown };
    close(): void;
  };
}

const pay = defineTool({
  name: "pay",
  description: "Pays a bill.",
  inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  handler: ({ to }) => `paid ${to}`,
});

describe("the audit of a server", () => {
  it("SD11: shows a chain that somebody with the database made anew, also after a restart", async () => {
    const folder = temporaryFolder();
    const options = { folder, tools: [pay], config: undefined };
    const rack = await openTestRack(options);
    for (const to of ["ada", "ben", "eve"]) await rack.call("pay", { to }, { caller: { agent: "owner", owner: true } }).result;
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
    await rack.close();
    const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as SqliteDriver;
    const database = new DatabaseSync(join(folder, ".toolrack/toolrack.db"));
    const rows = database.prepare("select * from audit order by number").all();
    let previous = "";
    for (const row of rows) {
      const { number, at, owner, kind, agent, subject, call_id, ok, code, duration_ms } = row;
      const body = String(row["body"]).replace("eve", "ada");
      const line = [number, at, owner, kind, agent, subject, call_id, ok, code, duration_ms, body, previous];
      const hash = createHash("sha256").update(JSON.stringify(line)).digest("hex");
      const columns = Object.hasOwn(row, "chain") ? ", chain = '', key_id = '', principal = ''" : "";
      database
        .prepare(`update audit set body = ?, previous = ?, hash = ?${columns} where number = ?`)
        .run(body, previous, hash, Number(number));
      previous = hash;
    }
    database.prepare("update ends set hash = ? where name = 'audit-last'").run(previous);
    database.close();
    const again = await openTestRack(options);
    expect(await verifyAudit(again.store)).toMatchObject({ ok: false });
    await again.call("pay", { to: "ada" }, { caller: { agent: "owner", owner: true } }).result;
    expect(await verifyAudit(again.store)).toMatchObject({ ok: false });
  });

  it("SD11: does not verify when the record of its key was removed with every line under it, also after a restart", async () => {
    const folder = temporaryFolder();
    const options = { folder, tools: [pay], config: undefined };
    const rack = await openTestRack(options);
    await rack.call("pay", { to: "eve" }, { caller: { agent: "owner", owner: true } }).result;
    await rack.close();
    const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as SqliteDriver;
    const database = new DatabaseSync(join(folder, ".toolrack/toolrack.db"));
    for (const statement of [
      "delete from audit",
      "update ends set number = 0, hash = '' where name like 'audit-%'",
      "delete from breadcrumbs where id = 'audit-key'",
      "delete from revisions where id = 'audit-key'",
    ])
      database.prepare(statement).run();
    database.close();
    const errors: string[] = [];
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: (text: string) => void errors.push(text) };
    for (let start = 0; start < 2; start++) {
      const again = await openTestRack({ ...options, log });
      expect(await verifyAudit(again.store)).toMatchObject({ ok: false, reason: expect.stringContaining("its record is gone") });
      await again.close();
    }
    expect(errors.filter((text) => text.includes("is missing in the database"))).toHaveLength(2);
  });
});
