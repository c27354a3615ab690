import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "../../src/access.ts";
import { appendEntries } from "../../src/engine/chain.ts";
import type { Engine, PagePlan, Saving, Snapshot, StoredRows } from "../../src/engine/engine.ts";
import { searchKeysOf } from "../../src/engine/search-keys.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";
import { cheapEngines, undone } from "./_engines.ts";

function record(id: string, more: Partial<Breadcrumb> = {}): Breadcrumb {
  return {
    owner: "o",
    id,
    schema_name: "note.v1",
    title: `Title ${id}`,
    tags: [],
    context: { text: `word${id}` },
    version: 1,
    checksum: "sha256:0",
    created_at: "2026-01-01T00:00:00.000Z",
    created_by: "author",
    updated_at: "2026-01-01T00:00:00.000Z",
    updated_by: "author",
    updated_as: "curator",
    visibility: "team",
    sensitivity: "low",
    ...more,
  };
}

function saving(type: Saving["type"], own: Breadcrumb, more: Partial<Saving> = {}): Saving {
  const keys = searchKeysOf({ record: own, deleted: type === "deleted" || type === "expired" });
  return { type, record: own, ...keys, position: undefined, tagsBefore: [], expiresAt: undefined, readsLeft: undefined, ...more };
}

const tool = (version: string): Breadcrumb =>
  record(`tool-${version}`, { schema_name: "tool.definition.v1", context: { name: "t", version, description: "d" } });
const a1 = record("a", { tags: ["x", "y"] });
const a2 = record("a", { tags: ["y"], version: 2, title: "Second" });
const b = record("b", { tags: ["x"], visibility: "public" });
const c = record("c", { tags: ["z"], visibility: "private", created_by: "bot" });
const d = record("d", { tags: ["x", "z"], visibility: "private" });
const other = record("a", { owner: "p" });
const gone = record("gone");

const curator: Actor = { owner: "o", agent: "me", roles: ["curator"] };
const plan: PagePlan = {
  actor: curator,
  schemaName: undefined,
  allTags: [],
  anyTags: [],
  noneTags: [],
  terms: [],
  after: 0,
  limit: 99,
  now: 0,
};

const ids = (heads: readonly { readonly record: Breadcrumb }[]): string[] => heads.map((head) => head.record.id);

describe.each(cheapEngines)("records in %s", (_, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
    const changes = await engine.write((tx) =>
      tx.save([
        saving("created", a1),
        saving("created", b, { expiresAt: 50, readsLeft: 2 }),
        saving("created", c),
        saving("created", gone),
      ]),
    );
    expect(changes.map(({ sequence, type }) => [sequence, type])).toEqual([1, 2, 3, 4].map((sequence) => [sequence, "created"]));
    await engine.write((tx) =>
      tx.save([
        saving("updated", a2, { position: 1, tagsBefore: ["x", "y"] }),
        saving("deleted", { ...gone, version: 2 }, { position: 4 }),
        saving("created", d, { expiresAt: 40 }),
        saving("created", other),
        saving("created", tool("1.0.0")),
        saving("created", tool("2.0.0")),
      ]),
    );
  });
  afterAll(() => engine.close());

  it("have a head, with what the store saves about it", async () => {
    const head = { deleted: false, expiresAt: undefined, readsLeft: undefined };
    expect(await engine.head("o", "a")).toMatchObject({ ...head, record: a2, position: 1 });
    expect(await engine.head("o", "b")).toMatchObject({ record: b, position: 2, deleted: false, expiresAt: 50, readsLeft: 2 });
    expect(await engine.head("o", "gone")).toMatchObject({ ...head, record: { ...gone, version: 2 }, position: 4, deleted: true });
    expect(await engine.head("p", "b")).toBeUndefined();
    expect(ids(await engine.heads("o", ["b", "nobody", "gone"])).sort()).toEqual(["b", "gone"]);
    expect(await engine.heads("o", [])).toEqual([]);
  });

  it("have their revisions, and changes in one order", async () => {
    expect(await engine.revision("o", "a", 1)).toEqual({ sequence: 1, type: "created", record: a1 });
    expect(await engine.revision("o", "a", 3)).toBeUndefined();
    expect(await engine.revision("p", "a", 2)).toBeUndefined();
    expect((await engine.revisions("o", "a", 9, 9)).map(({ sequence }) => sequence)).toEqual([5, 1]);
    expect((await engine.revisions("o", "a", 9, 1)).map(({ sequence }) => sequence)).toEqual([5]);
    expect((await engine.revisions("o", "a", 2, 9)).map(({ sequence }) => sequence)).toEqual([1]);
    expect(await engine.changesAfter(4, 2)).toEqual([
      { sequence: 5, type: "updated", record: a2 },
      { sequence: 6, type: "deleted", record: { ...gone, version: 2 } },
    ]);
    expect(await engine.changesAfter(10, 9)).toEqual([]);
    expect([await engine.lastSequence(), await engine.changesBegin()]).toEqual([10, 0]);
  });

  it("are found by identity", async () => {
    expect(ids(await engine.withIdentity("o", "tool.definition.v1|t|")).sort()).toEqual(["tool-1.0.0", "tool-2.0.0"]);
    expect(ids(await engine.identified("o", ["tool.definition.v1|t|2.0.0", "tool.definition.v1|u|1.0.0"]))).toEqual(["tool-2.0.0"]);
    expect(await engine.withIdentity("p", "tool.definition.v1|t|")).toEqual([]);
    expect(await engine.identified("o", [])).toEqual([]);
    await undone(engine, async (tx) => {
      await tx.save([saving("deleted", { ...tool("1.0.0"), version: 2 }, { position: 9 })]);
      expect(ids(await tx.withIdentity("o", "tool.definition.v1|t|"))).toEqual(["tool-2.0.0"]);
      expect(ids(await tx.identified("o", ["tool.definition.v1|t|1.0.0"]))).toEqual([]);
    });
  });

  it("expire at their time", async () => {
    expect(await engine.ended(39, 9)).toEqual([]);
    expect(await engine.ended(40, 9)).toEqual([{ owner: "o", id: "d" }]);
    expect((await engine.ended(50, 9)).map(({ id }) => id).sort()).toEqual(["b", "d"]);
    expect(await engine.ended(50, 1)).toHaveLength(1);
    expect(await engine.nextEnd()).toBe(40);
    await undone(engine, async (tx) => {
      await tx.save([saving("expired", { ...d, version: 2 }, { position: 7, tagsBefore: d.tags })]);
      expect(await tx.nextEnd()).toBe(50);
      await tx.setReadsLeft("o", "b", 1);
      await tx.setReadsLeft("o", "nobody", 1);
      expect((await tx.head("o", "b"))?.readsLeft).toBe(1);
      expect(await tx.ended(50, 9)).toEqual([{ owner: "o", id: "b" }]);
    });
    expect((await engine.head("o", "b"))?.readsLeft).toBe(2);
  });

  const reader = (more: Partial<Actor> = {}): Actor => ({ owner: "o", agent: "bot", roles: ["emitter"], ...more });
  it.each<[more: Partial<PagePlan>, wanted: string[]]>([
    [{}, ["a", "b", "c", "d", "tool-1.0.0", "tool-2.0.0"]],
    [{ after: 2, limit: 2 }, ["c", "d"]],
    [{ now: 40 }, ["a", "b", "c", "tool-1.0.0", "tool-2.0.0"]],
    [{ now: 50 }, ["a", "c", "tool-1.0.0", "tool-2.0.0"]],
    [{ schemaName: "tool.definition.v1" }, ["tool-1.0.0", "tool-2.0.0"]],
    [{ allTags: ["x"] }, ["b", "d"]],
    [{ allTags: ["x"], limit: 1, after: 2 }, ["d"]],
    [{ allTags: ["x", "z"] }, ["d"]],
    [{ allTags: ["z"], anyTags: ["x", "y"] }, ["d"]],
    [{ anyTags: ["y"] }, ["a"]],
    [{ anyTags: ["y", "z"] }, ["a", "c", "d"]],
    [{ allTags: ["x"], noneTags: ["z"] }, ["b"]],
    [{ noneTags: ["x", "y", "z"] }, ["tool-1.0.0", "tool-2.0.0"]],
    [{ terms: ["wordb"] }, ["b"]],
    [{ terms: ["word"] }, ["a", "b", "c", "d"]],
    [{ terms: ["word"], limit: 1, after: 2 }, ["c"]],
    [{ terms: ["second"] }, ["a"]],
    [{ terms: ["word", "titl"], allTags: ["z"] }, ["c", "d"]],
    [{ terms: ["nothing"] }, []],
    [{ actor: { ...curator, owner: "p" } }, ["a"]],
    [{ actor: reader(), schemaName: "note.v1" }, ["a", "b", "c"]],
    [{ actor: reader({ agent: "x" }), schemaName: "note.v1" }, ["a", "b"]],
    [{ actor: reader({ agent: "x", roles: [] }), schemaName: "note.v1" }, ["b"]],
  ])("are a page with %j", async (more, wanted) => {
    expect(ids(await engine.page({ ...plan, ...more }))).toEqual(wanted);
  });

  it("leave with retention: old revisions, and records that were removed", async () => {
    const keep = { after: 0, upTo: 99, revisions: 1, wholeSchema: "tool.definition.v1" };
    const old = { sequence: 1, owner: "o", id: "a", schemaName: "note.v1", isEnd: false };
    const end = { sequence: 6, owner: "o", id: "gone", schemaName: "note.v1", isEnd: true };
    expect(await engine.oldChanges(keep)).toEqual([old, end]);
    expect(await engine.oldChanges({ ...keep, after: 1 })).toEqual([end]);
    expect(await engine.oldChanges({ ...keep, upTo: 5 })).toEqual([old]);
    expect(await engine.oldChanges({ ...keep, revisions: 2 })).toEqual([end]);
    expect(await engine.oldChanges({ ...keep, wholeSchema: "note.v1" })).toEqual([end]);
    await undone(engine, async (tx) => {
      await tx.dropChanges([]);
      expect(await tx.changesBegin()).toBe(0);
      await tx.dropChanges([1]);
      expect([await tx.changesBegin(), await tx.revision("o", "a", 1)]).toEqual([1, undefined]);
      expect(await tx.dropEnded([old, { ...end, sequence: 4 }, { ...end, owner: "p" }])).toBe(0);
      expect(await tx.dropEnded([end])).toBe(1);
      expect(await tx.head("o", "gone")).toBeUndefined();
      expect(await tx.changesBegin()).toBe(6);
      expect((await tx.changesAfter(0, 99)).map(({ sequence }) => sequence)).toEqual([2, 3, 5, 7, 8, 9, 10]);
      await tx.dropChanges([2]);
      expect(await tx.changesBegin()).toBe(6);
    });
    expect((await engine.changesAfter(0, 99)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("wake those who wait, once they are committed", async () => {
    const own = await open();
    let woken = 0;
    const stop = own.onWake(() => (woken += 1));
    await own.write((tx) => tx.save([saving("created", a1)]));
    await expect.poll(() => woken).toBeGreaterThan(0);
    stop();
    const before = woken;
    await own.write((tx) => tx.save([saving("created", b)]));
    expect(woken).toBe(before);
    await own.close();
  });

  it("are copied whole, in the order of the copy, and counted", async () => {
    const [from, to] = [await open(), await open()];
    await from.write(async (tx) => {
      await tx.save([
        saving("created", a1),
        saving("created", other),
        saving("deleted", { ...gone, version: 1 }, { expiresAt: 5, readsLeft: 1 }),
      ]);
      await appendEntries(tx, [{ at: 1, owner: "o", kind: "call", agent: "a", subject: "t", body: "{}" }], undefined);
    });
    const chain = { chain: "s1", first: { place: 0, hash: "" }, last: { place: 1, hash: "h" } };
    const all = await from.snapshot(readAll);
    expect(all.heads).toMatchObject([{ record: a1 }, { record: other }, { deleted: true, expiresAt: 5, readsLeft: 1 }]);
    expect(all.ends).toMatchObject({ sequence: 3, changesBegin: 0, audit: { first: { number: 0 }, last: { number: 1 } }, chains: [] });
    const line = { ...all.audit[0]!, number: 2, chain: "s1", place: 1, hash: "h" };
    await to.write(async (tx) => {
      await tx.addChanges(all.changes);
      await tx.addHeads(all.heads);
      await tx.addAudit([...all.audit, line]);
      const audit = { ...all.ends.audit, last: { ...all.ends.audit.last, number: 2 } };
      await tx.setEnds({ ...all.ends, changesBegin: 0, audit, chains: [chain] });
    });
    const copy = await to.snapshot(readAll);
    expect(copy.changes).toEqual(all.changes);
    expect(copy.heads).toEqual(all.heads);
    expect(copy.audit).toEqual([...all.audit, line]);
    expect(copy.ends.chains).toEqual([chain]);
    expect(await to.auditChains()).toEqual([chain]);
    const { hash } = all.ends.audit.last;
    expect(await to.chainsSince(1)).toEqual({ upTo: 2, main: hash, ends: [{ chain: "s1", place: 1, hash: "h", number: 2 }] });
    expect((await to.chainsSince(2)).ends).toEqual([]);
    expect(ids(await to.page({ ...plan, terms: ["worda"] }))).toEqual(["a"]);
    await to.writeAudit((tx) => tx.dropAudit({ number: 2, hash }, [{ chain: "s1", first: { place: 1, hash: "h" } }]));
    expect([await to.auditChains(), await to.auditAfter(0, 9)]).toEqual([[], []]);
    expect(await to.auditSize()).toEqual({ rows: 0, bytes: 0 });
    await Promise.all([from.close(), to.close()]);
  });
});

async function readAll(
  snapshot: Snapshot,
): Promise<{ readonly [Kind in "changes" | "heads" | "audit"]: StoredRows[Kind][] } & { ends: Awaited<ReturnType<Snapshot["ends"]>> }> {
  const read = async <Kind extends keyof StoredRows>(kind: Kind): Promise<StoredRows[Kind][]> => {
    const rows: StoredRows[Kind][] = [];
    for await (const page of snapshot.pages(kind)) rows.push(...page);
    expect(await snapshot.count(kind)).toBe(rows.length);
    return rows;
  };
  return { changes: await read("changes"), heads: await read("heads"), audit: await read("audit"), ends: await snapshot.ends() };
}
