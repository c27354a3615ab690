import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry, defineTool } from "@toolrack/core";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { addToAudit, listAudit, pruneAudit } from "../../src/audit/audit.ts";
import { createCallLog } from "../../src/calls/call-log.ts";
import { createRedaction } from "../../src/audit/redact.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { loadSqlite, type SqliteDatabase } from "../../src/engines/sqlite/load.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { createSecrets } from "../../src/secrets/secrets.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-audit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the key of the audit", () => {
  it("SD11: does not open under another name", async () => {
    const store = createMemoryStore();
    const keys = createKeys({ current: Buffer.alloc(32, 5) });
    await keyAudit(store, keys);
    const { context, schema_name, title, version } = (await store.get("audit-key"))!;
    const [key] = context["keys"] as { id: string }[];
    expect(await keyAudit(store, keys)).toMatchObject({ unreadable: [] });
    const renamed = { keys: [{ ...key!, id: "0123456789abcdef" }] };
    await store.put({ id: "audit-key", schema_name, title: title!, version, context: renamed });
    expect(await keyAudit(store, keys)).toMatchObject({ unreadable: ["0123456789abcdef"] });
  });
});

describe("an audit that somebody tampered with", () => {
  const reasons: Record<string, string> = {
    "an edited body": "Line 5 of the audit: its content does not match its hash.",
    "an edited time": "Line 5 of the audit: its content does not match its hash.",
    "an edited agent": "Line 5 of the audit: its content does not match its hash.",
    "a removed row": "Line 5 of the audit: it is missing.",
    "the first row removed": "Line 1 of the audit: it is missing.",
    "the last row removed": "Line 10 of the audit: it and all lines after it are missing.",
    "two rows exchanged": "Line 5 of the audit: it does not follow the line before it.",
    "a row put in": "Line 11 of the audit: its content does not match its hash.",
    "another end": "Line 10 of the audit: it is not the line that was written last.",
  };
  const deeds: Record<string, string[]> = {
    "another end": ["update ends set hash = 'x' where name = 'audit-last'"],
    "an edited body": ["update audit set body = '\"other\"' where number = 5"],
    "an edited time": ["update audit set at = at + 1 where number = 5"],
    "an edited agent": ["update audit set agent = 'somebody' where number = 5"],
    "a removed row": ["delete from audit where number = 5"],
    "the first row removed": ["delete from audit where number = 1"],
    "the last row removed": ["delete from audit where number = 10"],
    "two rows exchanged": [
      "update audit set number = 99 where number = 5",
      "update audit set number = 5 where number = 6",
      "update audit set number = 6 where number = 99",
    ],
    "a row put in": [
      "update ends set number = 11 where name = 'audit-last'",
      "insert into audit select 11, at, owner, kind, agent, subject, call_id, ok, code, duration_ms, body, hash, 'x', chain, key_id, principal, place from audit where number = 10",
    ],
  };
  for (const [deed, statements] of Object.entries(deeds)) {
    it(`is found: ${deed}`, async () => {
      const path = join(folder, `${deed.replaceAll(" ", "-")}.db`);
      const store = await createSqliteStore({ path });
      for (let index = 0; index < 10; index++) await addToAudit(store, [{ kind: "note", subject: `s${index}`, body: { index } }]);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 10 });
      const database = (await loadSqlite()).open(path, 1_000);
      for (const statement of statements) database.exec(statement);
      database.close();
      const reason = reasons[deed]!;
      expect(await verifyAudit(store)).toEqual({ ok: false, number: Number(/\d+/.exec(reason)![0]), reason });
      await store.close();
    });
  }
});

describe("SD11: an audit with a key, of which somebody who can write to the database made a new one", () => {
  /** Links the lines anew by plain hashes, as anybody can, and moves the ends. */
  function recompute(database: SqliteDatabase, { format }: { readonly format: "first" | "present" }): void {
    const rows = database.prepare("select * from audit order by number").all() as Record<string, unknown>[];
    const begin = database.prepare("select number, hash from ends where name = 'audit-first'").all()[0] as { number: number; hash: string };
    let [number, previous] = [begin.number, begin.hash];
    database.exec("delete from audit");
    for (const { number: _, previous: __, hash: ___, chain: ____, key_id: _____, place: ______, principal, ...content } of rows) {
      number += 1;
      const own = format === "first" ? [] : [principal];
      const line = [number, ...Object.values(content), ...own, previous];
      const hash = createHash("sha256")
        .update(JSON.stringify(format === "first" ? line : ["main", "", ...line]))
        .digest("hex");
      const whole = [number, ...Object.values(content), previous, hash, format === "first" ? "" : "main", "", principal, 0];
      database.prepare(`insert into audit values (${whole.map(() => "?").join(",")})`).run(...(whole as string[]));
      previous = hash;
    }
    database.prepare("update ends set number = ?, hash = ? where name = 'audit-last'").run(number, previous);
  }
  it("keeps verifying lines of the first format, for which the line that gives it its key vouches", async () => {
    const path = join(folder, "first-format.db");
    const store = await createSqliteStore({ path });
    for (let index = 0; index < 4; index++) await addToAudit(store, [{ kind: "note", subject: "s", body: index }]);
    const database = (await loadSqlite()).open(path, 1_000);
    recompute(database, { format: "first" });
    expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 4 });
    expect(await keyAudit(store, createKeys({ current: Buffer.alloc(32, 5) }))).toMatchObject({ unkeyedLines: 4 });
    expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 5, keyed: 1 });
    database.exec("update audit set body = '7' where number = 2");
    recompute(database, { format: "first" });
    expect(await verifyAudit(store)).toMatchObject({ ok: false });
    database.close();
    await store.close();
  });

  const keyedReasons: Record<string, RegExp> = {
    "as lines of the first format": /^Line 3 of the audit: the audit has a key, and no line carries a MAC\.$/,
    "as lines without a key": /^Line 3 of the audit: the audit has a key, and no line carries a MAC\.$/,
    "without the line that gave it its key": /^Line 3 of the audit: the audit has a key, and no line carries a MAC\.$/,
    "of which nothing is left": /^Line 1 of the audit: the audit has a key, and no line carries a MAC\.$/,
    "whose older lines are gone": /^Line 7 of the audit: the chain begins here, and no line with a MAC says so/,
    "with a line under a key that nobody has": /^Line 8 of the audit: it was written under the audit key other, which is not known here/,
    "with a line of another chain": /^Line 8 of the audit: it does not follow the line before it\.$/,
  };
  const edit = "update audit set body = '\"other\"' where number = 8";
  const deeds: Record<string, (database: SqliteDatabase) => void> = {
    "as lines of the first format": (database) => {
      database.exec(edit);
      recompute(database, { format: "first" });
    },
    "as lines without a key": (database) => {
      database.exec(edit);
      recompute(database, { format: "present" });
    },
    "without the line that gave it its key": (database) => {
      database.exec("delete from audit where kind = 'audit-keyed'");
      recompute(database, { format: "first" });
    },
    "of which nothing is left": (database) => {
      database.exec("delete from audit; update ends set number = 0, hash = '' where name like 'audit-%'");
    },
    "whose older lines are gone": (database) => {
      database.exec(
        "update ends set number = 6, hash = (select hash from audit where number = 6) where name = 'audit-first'; delete from audit where number <= 6",
      );
    },
    "with a line under a key that nobody has": (database) => database.exec("update audit set key_id = 'other' where number = 8"),
    "with a line of another chain": (database) => database.exec("update audit set chain = 'other' where number = 8"),
  };
  for (const [deed, tamper] of Object.entries(deeds)) {
    it(`is found: ${deed}`, async () => {
      const path = join(folder, `keyed-${deed.replaceAll(" ", "-")}.db`);
      const store = await createSqliteStore({ path });
      const keys = createKeys({ current: Buffer.alloc(32, 5) });
      const add = (): Promise<void> => addToAudit(store, [{ kind: "note", subject: "s", body: 1 }]);
      for (let index = 0; index < 4; index++) await add();
      await keyAudit(store, keys);
      for (let index = 0; index < 5; index++) await add();
      await pruneAudit(store, { maxRows: 8 });
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 9, keyed: 7 });
      const database = (await loadSqlite()).open(path, 1_000);
      tamper(database);
      database.close();
      expect(await verifyAudit(store)).toMatchObject({ ok: false, reason: expect.stringMatching(keyedReasons[deed]!) });
      // A server that goes on writing does not heal it.
      await add();
      expect(await verifyAudit(store)).toMatchObject({ ok: false });
      await store.close();
    });
  }
});

describe("a planted secret", () => {
  // row: H15
  it("stands in no file, row, record, list, error or log", async () => {
    const planted = "Pl4nted/S3cret+value==";
    const path = join(folder, "planted.db");
    const store = await createSqliteStore({ path });
    const secrets = await createSecrets(store, { keys: createKeys({ current: Buffer.alloc(32, 5) }) });
    const calls = createCallLog(store, { redaction: { values: () => secrets.seenValues() } });
    const registry = createRegistry({ secrets, recorder: calls });
    const base = { description: "x", inputSchema: { type: "object" }, metadata: { secrets: ["key"] } } as const;
    registry.register(
      defineTool({ ...base, name: "leaks", handler: async (_, context) => ({ text: `it is ${await context.secret("key")}` }) }),
    );
    registry.register(
      defineTool({
        ...base,
        name: "throws",
        handler: async (_, context) => Promise.reject(new Error(`failed with ${await context.secret("key")}`)),
      }),
    );
    await secrets.set("key", planted);
    await registry.invoke("leaks", { token: planted, nested: [encodeURIComponent(planted)] });
    await registry.invoke("throws", {});
    const everything = JSON.stringify([
      await calls.list(),
      await listAudit(store),
      await store.searchBreadcrumbs({ includeContext: true }),
      await secrets.list(),
    ]);
    expect(everything).not.toContain(planted);
    expect(everything).not.toContain(encodeURIComponent(planted));
    expect(everything).toContain("[redacted]");
    await secrets.close();
    await store.close();
    for (const name of readdirSync(folder).filter((file) => file.startsWith("planted"))) {
      const bytes = readFileSync(join(folder, name));
      for (const spelling of [planted, encodeURIComponent(planted), Buffer.from(planted).toString("base64").slice(0, -2)])
        expect(bytes.includes(spelling), name).toBe(false);
    }
  });

  it("is taken out of values of every kind", () => {
    const redact = createRedaction({ values: () => ["12345678", 'a"b"c'], fields: ["pin"] })();
    const value = {
      Authorization: "x",
      api_key: 1,
      "API-Key": 2,
      pin: 3,
      list: ["is 12345678!", 12345678, 12345678n, 'a"b"c', JSON.stringify('a"b"c')],
      "12345678": true,
      at: new Date(0),
      bytes: new Uint8Array(3),
    };
    expect(redact(value)).toEqual({
      Authorization: "[redacted]",
      api_key: "[redacted]",
      "API-Key": "[redacted]",
      pin: "[redacted]",
      list: ["is [redacted]!", "[redacted]", "[redacted]", "[redacted]", '"[redacted]"'],
      "[redacted]": true,
      at: "1970-01-01T00:00:00.000Z",
      bytes: "[3 bytes]",
    });
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(JSON.stringify(redact(circular))).toContain("nested too deeply");
    class Card {
      number = "12345678";
      token = "x";
    }
    for (const odd of [new Card(), Object("12345678"), [[new Map([["a", "12345678"]])]], { toJSON: () => "12345678" }, 12345678n])
      expect(JSON.stringify(redact(odd))).not.toMatch(/12345678|x/);
  });

  it("is found wherever it stands, and what holds none stays as it is", () => {
    const secret = "hunter22";
    const redact = createRedaction({ values: () => [secret] })();
    const place = fc.constantFrom("value", "key", "field");
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.nat(5), { maxLength: 3 }), place, (value, path, kind) => {
        expect(redact(value)).toBe(value);
        const planted = plant(value, path, kind === "value" ? `a ${secret}` : kind === "key" ? { [secret]: 1 } : { Pass_Word: "s3" });
        const kept = JSON.stringify(redact(planted));
        expect(kept).not.toMatch(/hunter22|"s3"/);
        expect(kept).toContain("[redacted]");
      }),
    );
  });
});

/** A copy that holds one thing more, so deep inside. */
function plant(value: unknown, [at, ...path]: readonly number[], what: unknown): unknown {
  if (at === undefined || typeof value !== "object" || value === null) return [value, what];
  const keys = Object.keys(value);
  if (keys.length === 0) return [value, what];
  const key = keys[at % keys.length]!;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, name === key ? plant(inner, path, what) : inner]));
}
