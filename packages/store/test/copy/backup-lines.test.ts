import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type BackupPart, maxLineBytes, readLines, writeLines } from "../../src/copy/backup-lines.ts";
import type { ContentHeader, ContentKind, ContentPage } from "../../src/copy/content.ts";
import { readRow } from "../../src/copy/read-row.ts";

type Row = Readonly<Record<string, unknown>>;

const record = {
  owner: "acme",
  id: "r1",
  schema_name: "note.v1",
  title: "A note",
  visibility: "team",
  sensitivity: "low",
  created_by: "ada",
  updated_at: "2026-01-01T00:00:00.000Z",
  updated_by: "ada",
  version: 1,
  tags: ["a"],
  context: { text: "x" },
};
const change = (sequence: number): Row => ({ sequence, type: "created", record });
const head = (position: number): Row => ({ position, deleted: false, record });
const audit = (number: number): Row => ({
  number,
  at: 5,
  owner: "acme",
  kind: "call",
  agent: "a",
  principal: "p",
  subject: "s",
  callId: "c",
  ok: 1,
  code: null,
  durationMs: 1.5,
  body: "{}",
  previous: "00",
  hash: "01",
  chain: "1",
  keyId: "k",
  place: 0,
});
const secret: Row = { owner: "acme", name: "KEY", version: 1, keyId: "k", wrappedKey: "w", sealed: "s", updatedAt: 5 };
const answer: Row = { owner: "acme", name: "key-1", endsAt: 9, body: "{}" };
const logged = (index: number): Row => ({ index, at: 5, owner: "acme", kind: "grant", source: "s", tool: "t", body: "{}", nodes: "00" });

const session: Row = {
  owner: "acme",
  id: "s1",
  key: "agent:a:main",
  agent: "a",
  kind: "main",
  parent: "s0",
  depth: 1,
  createdAt: 5,
  label: "l",
  status: "idle",
  model: "m",
  usage: "{}",
  state: "{}",
  result: "{}",
  touched: 5_000,
  endedAt: 6,
  last: 1,
  bytes: 2,
  fence: 3,
  inboxLast: 1,
  inboxCount: 0,
  inboxBytes: 0,
};
const inbox: Row = {
  owner: "acme",
  session: "s1",
  place: 1,
  content: '"x"',
  fromKind: "person",
  fromId: "ann",
  at: 5,
  source: "s",
  taken: true,
};

const task: Row = {
  owner: "acme",
  kind: "task",
  name: "t1",
  version: 2,
  group: "g",
  holder: "server",
  isOpen: true,
  createdAt: 5,
  endsAt: 9,
  body: "{}",
};

const everyRow: [ContentKind, Row][] = [
  ["change", change(1)],
  ["change", change(3)],
  ["head", head(1)],
  ["head", head(3)],
  ["audit", audit(5)],
  ["audit", audit(6)],
  ["secret", secret],
  ["answer", answer],
];
const headerOf = (rows: readonly [ContentKind, Row][]): ContentHeader => {
  const counts = { change: 0, head: 0, audit: 0, secret: 0, answer: 0, logged: 0, session: 0, message: 0, inbox: 0, task: 0 };
  for (const [kind] of rows) counts[kind] += 1;
  const ends = { sequence: 3, changesBegin: 0, audit: { first: { number: 4, hash: "00" }, last: { number: 6, hash: "01" } }, chains: [] };
  return { createdAt: "2026-01-02T00:00:00.000Z", migrations: ["0001"], ends, counts, running: 2 };
};

/** The lines of a back-up without its end, and an end that fits them. */
function sealed(lines: readonly unknown[], change: (end: Row) => unknown = (end) => end): string {
  const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const end = { lines: lines.length, sha256: createHash("sha256").update(text).digest("hex") };
  return `${text}${JSON.stringify({ end: change(end) })}\n`;
}

const firstLine = (rows: readonly [ContentKind, Row][]): Row => ({ format: "toolrack-backup", version: 1, ...headerOf(rows) });
const linesOf = (rows: readonly [ContentKind, Row][]): unknown[] => [firstLine(rows), ...rows.map(([kind, row]) => ({ [kind]: row }))];

async function read(text: string | readonly string[]): Promise<BackupPart[]> {
  const parts: BackupPart[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const chunk of typeof text === "string" ? [text] : text) yield Buffer.from(chunk);
  }
  for await (const part of readLines(chunks())) parts.push(part);
  return parts;
}

const refused = (text: string | readonly string[], sentence: string): Promise<void> =>
  expect(read(text)).rejects.toThrow(expect.objectContaining({ code: "BACKUP_INVALID", message: expect.stringContaining(sentence) }));

const writing = (pages: readonly ContentPage[], header = headerOf(everyRow)) => ({
  header,
  async *pages() {
    yield* pages;
  },
});

async function written(...[content, options = { keys: undefined }]: Parameters<typeof writeLines> | [Parameters<typeof writeLines>[0]]) {
  const chunks: Buffer[] = [];
  for await (const chunk of writeLines(content, options)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("the lines of a back-up", () => {
  const pages = everyRow.map(([kind, row]) => ({ kind, rows: [row] }) as unknown as ContentPage);

  it("are read as they were written: the header, the rows of each kind together, and the end", async () => {
    const text = await written(writing(pages));
    expect(text).toBe(sealed(linesOf(everyRow)));
    const parts = await read(text);
    expect(parts[0]).toEqual({ kind: "header", header: headerOf(everyRow) });
    expect(parts.slice(1, -1).map((part) => [part.kind, (part as ContentPage).rows.length])).toEqual([
      ["change", 2],
      ["head", 2],
      ["audit", 2],
      ["secret", 1],
      ["answer", 1],
    ]);
    expect((parts[1] as ContentPage).rows).toEqual([change(1), change(3)]);
    expect(parts.at(-1)).toMatchObject({ kind: "end", end: { lines: 9 } });
    expect(parts.at(-1)).not.toHaveProperty("end.seal");
  });

  it("may hold a log of definitions without gaps, and none in a back-up of an older version", async () => {
    const rows: [ContentKind, Row][] = [...everyRow, ["logged", logged(0)], ["logged", logged(1)]];
    expect((await read(sealed(linesOf(rows)))).at(-2)).toEqual({ kind: "logged", rows: [logged(0), logged(1)] });
    const gap: [ContentKind, Row][] = [...everyRow, ["logged", logged(1)]];
    await refused(sealed(linesOf(gap)), "Line 10 of the back-up: its number is out of order");
    const { logged: _, session: _s, message: _m, inbox: _i, task: _t, ...older } = headerOf(everyRow).counts;
    const lines = [{ ...firstLine(everyRow), counts: older }, ...linesOf(everyRow).slice(1)];
    expect((await read(sealed(lines)))[0]).toMatchObject({
      header: { counts: { ...older, logged: 0, session: 0, message: 0, inbox: 0, task: 0 } },
    });
  });

  it("may arrive in any pieces", async () => {
    const text = sealed(linesOf(everyRow));
    for (const size of [1, 7, 100])
      expect(await read(Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size)))).toEqual(
        await read(text),
      );
  });

  it("are sealed under the master key, where there is one", async () => {
    const asked: unknown[] = [];
    const wrap = async (...given: unknown[]) => (asked.push(given), "sealed-text");
    const parts = await read(await written(writing(pages), { keys: { keyId: "k1", wrap } as never }));
    const { end } = parts.at(-1) as Extract<BackupPart, { kind: "end" }>;
    expect(end.seal).toEqual({ keyId: "k1", sealed: "sealed-text" });
    expect(asked).toEqual([[Buffer.from(end.sha256, "hex"), "toolrack backup"]]);
  });

  it("tell how far the writing is, and refuse a row that no back-up could take", async () => {
    const told: unknown[] = [];
    await written(writing(pages), { keys: undefined, onProgress: (progress) => void told.push(progress) });
    expect([told[0], told.at(-1), told.length]).toEqual([{ done: 1, total: 8 }, { done: 8, total: 8 }, 8]);
    const large = { kind: "answer", rows: [{ ...answer, body: "x".repeat(maxLineBytes) }] } as unknown as ContentPage;
    await expect(written(writing([large]))).rejects.toMatchObject({ code: "RECORD_TOO_LARGE" });
  });

  it("come in pages of at most a hundred rows, and fewer of large ones", async () => {
    const sizes = async (rows: [ContentKind, Row][]) => {
      const [header, ...others] = linesOf(rows) as [{ ends: object }, ...unknown[]];
      const parts = await read(sealed([{ ...header, ends: { ...header.ends, sequence: 1_000 } }, ...others]));
      return parts.flatMap((part) => ("rows" in part ? [part.rows.length] : []));
    };
    expect(await sizes(Array.from({ length: 201 }, (_, index) => ["change", change(index + 1)]))).toEqual([100, 100, 1]);
    const large = { ...answer, body: "x".repeat(3_000_000) };
    expect(await sizes(Array.from({ length: 5 }, () => ["answer", large]))).toEqual([2, 2, 1]);
  });
});

describe("a back-up is refused by the line that is wrong:", () => {
  const good = linesOf(everyRow);
  const withHeader = (change: Row): string => sealed([{ ...firstLine(everyRow), ...change }, ...good.slice(1)]);
  const { ends, counts } = headerOf(everyRow);
  const chain = { chain: "s1", first: { place: 1, hash: "00" }, last: { place: 3, hash: "01" } };

  it.each<[what: string, text: string | readonly string[], sentence: string]>([
    ["nothing", "", "breaks off after line 0"],
    ["no end", good.map((line) => `${JSON.stringify(line)}\n`).join(""), "breaks off after line 9"],
    ["half a line", sealed(good).slice(0, -3), "breaks off in line 10"],
    ["something after the end", `${sealed(good)}{}\n`, "Line 11 of the back-up: something follows its last line"],
    ["no JSON", sealed([good[0], "{"]), "Line 2 of the back-up: it is not JSON"],
    ["another file", sealed(["[]"]), "Line 1 of the back-up: this is not a back-up of Toolrack"],
    ["another format", withHeader({ format: "other" }), "Line 1 of the back-up: this is not a back-up of Toolrack"],
    [
      "a newer version",
      withHeader({ version: "2.0-of-the-future" }),
      "has format 2.0-of-the, and this version reads 1. Use a newer Toolrack.",
    ],
    ["no time", withHeader({ createdAt: "yesterday" }), "Line 1 of the back-up: createdAt is no time"],
    ["a time that is a number", withHeader({ createdAt: 5 }), "Line 1 of the back-up: createdAt is no time"],
    ["migrations that are none", withHeader({ migrations: "0001" }), "Line 1 of the back-up: migrations is no list of names"],
    ["a migration that is no name", withHeader({ migrations: ["0001", 2] }), "Line 1 of the back-up: migrations is no list of names"],
    ["no ends", withHeader({ ends: undefined }), "Line 1 of the back-up: ends is wrong"],
    ["a negative sequence", withHeader({ ends: { ...ends, sequence: -1 } }), "Line 1 of the back-up: ends is wrong"],
    ["half a sequence", withHeader({ ends: { ...ends, sequence: 0.5 } }), "Line 1 of the back-up: ends is wrong"],
    ["no beginning", withHeader({ ends: { ...ends, changesBegin: undefined } }), "Line 1 of the back-up: ends is wrong"],
    [
      "no first line of the audit",
      withHeader({ ends: { ...ends, audit: { last: ends.audit.last } } }),
      "Line 1 of the back-up: ends is wrong",
    ],
    [
      "no last line of the audit",
      withHeader({ ends: { ...ends, audit: { first: ends.audit.first } } }),
      "Line 1 of the back-up: ends is wrong",
    ],
    [
      "a hash that is none",
      withHeader({ ends: { ...ends, audit: { ...ends.audit, last: { number: 6, hash: "xyz" } } } }),
      "Line 1 of the back-up: ends is wrong",
    ],
    ["chains that are no list", withHeader({ ends: { ...ends, chains: 5 } }), "Line 1 of the back-up: the chains of the audit are wrong"],
    ...[
      5,
      { ...chain, chain: 5 },
      { ...chain, chain: "a\0" },
      { ...chain, first: undefined },
      { ...chain, last: { place: -1, hash: "01" } },
      { ...chain, last: { place: 3, hash: "xyz" } },
    ].map((wrong): [string, string, string] => [
      `the chain ${JSON.stringify(wrong)}`,
      withHeader({ ends: { ...ends, chains: [chain, wrong] } }),
      "Line 1 of the back-up: the chains of the audit are wrong",
    ]),
    ["an audit that is none", withHeader({ ends: { ...ends, audit: 5 } }), "Line 1 of the back-up: ends is wrong"],
    ["no counts", withHeader({ counts: {} }), "Line 1 of the back-up: counts is wrong"],
    ["one count missing", withHeader({ counts: { ...counts, secret: "1" } }), "Line 1 of the back-up: counts is wrong"],
    [
      "more rows than counted",
      withHeader({ counts: { ...counts, change: 1 } }),
      "Line 3 of the back-up: there are more rows than its first line says",
    ],
    [
      "fewer rows than counted",
      withHeader({ counts: { ...counts, answer: 3 } }),
      'there are 1 rows of "answer", and the first line says 3',
    ],
    ["an unknown kind", sealed(good.toSpliced(2, 1, { note: change(3) })), "Line 3 of the back-up: it is no row of a store"],
    [
      "a row with something beside it",
      sealed(good.toSpliced(2, 1, { change: change(3), more: 1 })),
      "Line 3 of the back-up: it is no row of a store",
    ],
    ["no object", sealed(good.toSpliced(2, 1, "5")), "Line 3 of the back-up: it is no row of a store"],
    [
      "a kind that was over",
      sealed([...good.slice(0, 4), good[2], ...good.slice(4)]),
      "Line 5 of the back-up: rows of this kind ended before",
    ],
    ["the same number again", sealed(good.toSpliced(2, 1, { change: change(1) })), "Line 3 of the back-up: its number is out of order"],
    ["a number above the end", sealed(good.toSpliced(2, 1, { change: change(4) })), "its number is out of order"],
    ["a position above the end", sealed(good.toSpliced(4, 1, { head: head(4) })), "Line 5 of the back-up: its number is out of order"],
    [
      "a gap in the audit",
      sealed(good.toSpliced(5, 2, { audit: audit(5) }, { audit: audit(7) })),
      "Line 7 of the back-up: its number is out of order",
    ],
    ["an audit that begins late", sealed(good.toSpliced(5, 1, { audit: audit(6) })), "Line 6 of the back-up: its number is out of order"],
    ["another number of lines", sealed(good, (end) => ({ ...end, lines: 8 })), "Line 10 of the back-up: the digest does not fit"],
    ["another digest", sealed(good, (end) => ({ ...end, sha256: "00" })), "the digest does not fit"],
    ["an end of another form", sealed(good, () => 5), "Line 10 of the back-up: the last line has another form"],
    ["an end without a number", sealed(good, ({ sha256 }) => ({ sha256 })), "the last line has another form"],
    ["an end without a digest", sealed(good, ({ lines }) => ({ lines })), "the last line has another form"],
    ["a seal that is none", sealed(good, (end) => ({ ...end, seal: "x" })), "the last line has another form"],
    ["a seal without a key", sealed(good, (end) => ({ ...end, seal: { sealed: "x" } })), "the last line has another form"],
    ["a seal without a text", sealed(good, (end) => ({ ...end, seal: { keyId: "x" } })), "the last line has another form"],
    ["a line without an end", ["x".repeat(maxLineBytes), "x"], `Line 1 of the back-up: it is longer than ${maxLineBytes} bytes`],
  ])("%s", (_what, text, sentence) => refused(text, sentence));

  it("but chains of servers are read with their ends", async () => {
    const [part] = await read(withHeader({ ends: { ...ends, chains: [{ ...chain, more: 1 }] } }));
    expect(part).toEqual({ kind: "header", header: { ...headerOf(everyRow), ends: { ...ends, chains: [chain] } } });
    const { chains: _, ...older } = ends;
    expect((await read(withHeader({ ends: older })))[0]).toMatchObject({ header: { ends: { chains: [] } } });
  });

  it("invalid UTF-8", async () => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from([0x22, 0xff, 0x22, 10]);
    }
    await expect(readLines(chunks()).next()).rejects.toThrow("it is not JSON");
  });

  it("but calls under way are counted only where they are a number", async () => {
    const [part] = await read(withHeader({ running: "many" }));
    expect(part).toMatchObject({ header: { running: 0 } });
  });
});

describe("a row of a back-up", () => {
  const rows: [ContentKind, Row][] = [
    ["change", change(1)],
    ["head", { ...head(1), expiresAt: 5, readsLeft: 0 }],
    ["audit", audit(1)],
    ["secret", secret],
    ["answer", answer],
    ["session", session],
    ["message", { owner: "acme", session: "s1", seq: 1, at: 5, body: "{}" }],
    ["inbox", inbox],
    ["task", task],
  ];
  const optional = ["expiresAt", "readsLeft", "parent", "label", "model", "state", "result", "endedAt", "fromId", "source"];

  it.each(rows)("is read with exactly its fields: %s", (kind, row) => {
    const added = { answer: { kind: "answer", holder: "" }, session: { holder: "", leaseEndsAt: 0 } };
    expect(readRow(kind, { ...row, more: 1 })).toEqual({ ...row, ...added[kind as keyof typeof added] });
    for (const value of [null, "x", [row]]) expect(readRow(kind, value)).toBeUndefined();
  });

  it.each(rows)("is refused with a field of another kind: %s", (kind, row) => {
    for (const [name, value] of Object.entries(row)) {
      const wrong =
        typeof value === "number" ? ["1", -1, ...(name === "durationMs" ? [] : [0.5])] : [5, "a\0b", true].filter((one) => one !== value);
      const unfit = name === "durationMs" ? ["1", Number.NaN] : name === "deleted" ? [5, "no"] : wrong;
      for (const other of unfit) expect(readRow(kind, { ...row, [name]: other }), `${name}: ${String(other)}`).toBeUndefined();
      const { [name]: _, ...without } = row;
      if (!optional.includes(name) && !(kind === "audit" && name === "place"))
        expect(readRow(kind, without), `without ${name}`).toBeUndefined();
    }
  });

  it("has JSON where JSON is stored, and a status that there is", () => {
    for (const name of ["usage", "state", "result"]) expect(readRow("session", { ...session, [name]: "{" }), name).toBeUndefined();
    expect(readRow("session", { ...session, status: "gone" })).toBeUndefined();
    expect(readRow("message", { owner: "acme", session: "s1", seq: 1, at: 5, body: "{" })).toBeUndefined();
    expect(readRow("inbox", { ...inbox, content: "text" })).toBeUndefined();
    expect(readRow("task", { ...task, body: "text" })).toBeUndefined();
  });

  it("may be a change of any type, and lack what is optional", () => {
    for (const type of ["created", "updated", "deleted", "expired"])
      expect(readRow("change", { ...change(1), type })).toMatchObject({ type });
    expect(readRow("head", head(1))).toEqual({ ...head(1), expiresAt: undefined, readsLeft: undefined });
    const plain = { ...audit(1), callId: null, ok: null, durationMs: null, code: "E" };
    expect(readRow("audit", plain)).toEqual(plain);
    expect(readRow("audit", { ...audit(1), ok: 0 })).toMatchObject({ ok: 0 });
    expect(readRow("audit", { ...audit(1), ok: 2 })).toBeUndefined();
  });

  it("has a record whose fields the tables need, each of its kind", () => {
    for (const name of Object.keys(record) as (keyof typeof record)[]) {
      expect(readRow("change", { ...change(1), record: { ...record, [name]: null } }), name).toBeUndefined();
      if (typeof record[name] === "string")
        expect(readRow("change", { ...change(1), record: { ...record, [name]: "a\0" } }), name).toBeUndefined();
    }
    for (const tags of [["a", 5], ["a\0"], "a"]) expect(readRow("change", { ...change(1), record: { ...record, tags } })).toBeUndefined();
    const own = { ...record, more: 1 };
    expect(readRow("change", { ...change(1), record: own })).toEqual({ ...change(1), record: own });
  });
});
