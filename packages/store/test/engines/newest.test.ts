import { afterAll, describe, expect, it } from "vitest";
import type { AuditFilter } from "../../src/engine/audit.ts";
import { createAuditReads } from "../../src/engines/_sql/audit.ts";
import { migrate } from "../../src/engines/_sql/migrate.ts";
import { createQueries } from "../../src/engines/sqlite/dialect.ts";
import { loadSqlite } from "../../src/engines/sqlite/load.ts";
import { sqliteParts } from "../../src/engines/sqlite/parts.ts";

const database = (await loadSqlite()).open(":memory:", 1_000);
const asked: string[] = [];
const queries = createQueries({
  ...database,
  prepare(sql) {
    asked.push(sql);
    return database.prepare(sql);
  },
});
await migrate(queries, sqliteParts);
const reads = createAuditReads(queries);
afterAll(() => database.close());

async function planOf(read: () => Promise<unknown>): Promise<string> {
  await read();
  return database
    .prepare(`explain query plan ${asked.at(-1)}`)
    .all()
    .map((step) => (step as { detail: string }).detail)
    .join("\n");
}

describe("the newest lines of a long audit", () => {
  const wanted: [what: string, filter: AuditFilter, index: string][] = [
    ["of an owner", { owner: "a" }, "audit_newest"],
    ["of calls", { owner: "a", kinds: ["call"] }, "audit_newest"],
    ["of calls that succeeded", { owner: "a", kinds: ["call"], ok: true }, "audit_newest"],
    ["of calls that failed", { owner: "a", kinds: ["call"], ok: false, from: 5 }, "audit_failed"],
    ["of another kind", { owner: "a", kinds: ["secret-read"] }, "audit_deeds"],
    ["of an agent", { owner: "a", kinds: ["call"], agent: "x" }, "audit_agent"],
    ["of a tool", { owner: "a", kinds: ["call"], subject: "x" }, "audit_subject"],
    ["of several kinds", { owner: "a", kinds: ["call", "secret-read"] }, "audit_newest"],
    ["of a call", { owner: "a", kinds: ["call"], callId: "x" }, "audit_call"],
    ["of a subject, whatever was done", { owner: "a", subject: "x" }, "audit_newest"],
  ];
  it.each(wanted)("%s are read from the end of an index, without sorting", async (_, filter, index) => {
    for (const read of [reads.auditBefore, reads.auditAfter]) {
      const plan = await planOf(() => read(9, 1, filter));
      expect(plan).toMatch(new RegExp(`^SEARCH audit USING INDEX ${index} [^\n]*$`));
    }
  });
});
