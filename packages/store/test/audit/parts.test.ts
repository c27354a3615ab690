import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import {
  anchorAudit,
  createAnchoring,
  needsAnchors,
  readBody,
  rootOfEnds,
  stateBegins,
  stateChains,
  type StatedEnd,
  toStatedChains,
} from "../../src/audit/anchor.ts";
import { addToAudit, auditBegin, listAudit, pruneAudit } from "../../src/audit/audit.ts";
import { createChainCheck } from "../../src/audit/chain-check.ts";
import { openDefinitionLog } from "../../src/audit/definition-log.ts";
import { proveEntry, signedHead, verifyHead } from "../../src/audit/proof.ts";
import type { AuditRow } from "../../src/engine/audit.ts";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { createStore, insideOf } from "../../src/store/create-store.ts";

const now = 1_800_000_000_000;
function open(change: (engine: Engine) => Partial<Engine> = () => ({})) {
  const clock = createFakeClock(now);
  const memory = createMemoryEngine();
  const store = createStore({ ...memory, ...change(memory) }, { clock });
  afterThisTest(() => store.close());
  return { store, clock };
}

describe("an anchor of several chains", () => {
  const end = { chain: "s1", place: 3, number: 9, hash: "aa" };
  const stated: StatedEnd = ["s1", 3, 9, "aa"];

  /** A store with chains; `moves` is what changed since the last anchor, `last` the body of that one. */
  function anchoring(moves: { upTo: number; main: string; ends: (typeof end)[] }, last?: object, holds = true) {
    const asked: unknown[][] = [];
    const tx = {
      holdsClusterLease: async (...args: unknown[]) => (asked.push(["lease", ...args]), holds),
      auditBefore: async (...args: unknown[]) => (
        asked.push(["before", ...args]),
        last === undefined ? [] : [{ body: JSON.stringify(last) }]
      ),
      chainsSince: async (since: number) => (asked.push(["since", since]), moves),
      chainTip: async (chain: string) => ({ number: 0, hash: "", chain, place: 0 }),
      appendAudit: async (lines: unknown[][]) => (asked.push(["append", lines]), true),
    } as unknown as Writes;
    let number = 5;
    const { store } = open(() => ({
      hasChains: true,
      writeAudit: (work) => work(tx),
      auditEnds: async () => ({ first: { number: 0, hash: "" }, last: { number, hash: "" } }),
    }));
    return { store, asked, add: () => number++ };
  }

  it("states the ends that moved, the root over them and where the main chain ends", async () => {
    const moves = { upTo: 9, main: "bb", ends: [end, { ...end, chain: "anchors" }] };
    const { store, asked } = anchoring(moves, { upTo: 4, main: "bb", root: "r", ends: [] });
    expect(await anchorAudit(store, { name: "anchor", token: 1 } as never)).toBe(true);
    expect(asked[0]).toEqual(["lease", "local", { name: "anchor", token: 1 }]);
    expect(asked.find(([name]) => name === "before")!.slice(1, 3)).toEqual([Number.MAX_SAFE_INTEGER, 1]);
    expect(asked.find(([name]) => name === "since")).toEqual(["since", 4]);
    const [, [line]] = asked.find(([name]) => name === "append") as [string, unknown[][]];
    const body = JSON.parse(line!.find((one) => typeof one === "string" && one.startsWith("{")) as string) as {
      ends: StatedEnd[];
      root: string;
    };
    expect(body).toMatchObject({ upTo: 9, main: "bb", root: rootOfEnds(body.ends) });
    expect(body.ends).toEqual([stated]);
    expect(line![1]).toBe(now);
  });

  it("is not written where nothing moved, and looks from the beginning where there is none, or a damaged one", async () => {
    const quiet = anchoring({ upTo: 9, main: "bb", ends: [] }, { upTo: 4, main: "bb", root: "r", ends: [] });
    expect(await anchorAudit(quiet.store)).toBe(false);
    expect(quiet.asked.some(([name]) => name === "append" || name === "lease")).toBe(false);
    const moved = anchoring({ upTo: 9, main: "cc", ends: [] }, { upTo: 4, main: "bb", root: "r", ends: [] });
    expect(await anchorAudit(moved.store)).toBe(true);
    const first = anchoring({ upTo: 9, main: "", ends: [] });
    expect([await anchorAudit(first.store), first.asked.find(([name]) => name === "since")]).toEqual([false, ["since", 0]]);
    const lost = anchoring({ upTo: 9, main: "cc", ends: [] }, undefined, false);
    await expect(anchorAudit(lost.store, { name: "anchor" } as never)).rejects.toMatchObject({
      code: "LEASE_LOST",
      message: 'The lease "anchor" was taken by another server, which anchors the audit from now on.',
    });
  });

  it("is not looked for again while no line is added, but every sixty-first time", async () => {
    const { store, asked, add } = anchoring({ upTo: 9, main: "", ends: [] });
    const anchor = createAnchoring(store);
    const looks = () => asked.filter(([name]) => name === "since").length;
    for (let count = 0; count < 61; count++) expect(await anchor()).toBe(false);
    expect(looks()).toBe(1);
    await anchor();
    expect(looks()).toBe(2);
    add();
    await anchor();
    expect(looks()).toBe(3);
  });

  it("is for curators, and for an audit with several chains", async () => {
    const { store } = open();
    expect([await anchorAudit(store), needsAnchors(store)]).toEqual([false, false]);
    expect(needsAnchors(anchoring({ upTo: 0, main: "", ends: [] }).store)).toBe(true);
    await expect(anchorAudit(store.as({ ...store.actor, roles: ["subscriber"] }))).rejects.toThrow(/anchor the audit/);
  });

  it("is read, and says what cannot be where it is damaged", () => {
    const sound = { upTo: 9, main: "m", root: "r", ends: [stated] };
    const nothing = { upTo: -1, main: "", root: "", ends: [] };
    expect(toStatedChains({ ...sound, more: 1 })).toEqual(sound);
    for (const wrong of [
      5,
      null,
      { ...sound, upTo: "9" },
      { ...sound, main: 5 },
      { ...sound, root: 5 },
      { ...sound, ends: 5 },
      { ...sound, ends: [5] },
      ...[0, 1, 2, 3].map((place) => ({ ...sound, ends: [stated, stated.with(place, null as never)] })),
    ])
      expect(toStatedChains(wrong)).toEqual(nothing);
    expect([readBody('{"a":1}'), readBody("5"), readBody("[]"), readBody("{")]).toEqual([{ a: 1 }, {}, {}, {}]);
  });

  it("of a line that confirms everything has all chains, and where those begin that lost lines", async () => {
    const tx = (ends: unknown[], chain: string) =>
      ({ chainsSince: async () => ({ upTo: 9, main: "m", ends }), chainTip: async () => ({ chain }) }) as never;
    expect(await stateChains(tx([], "main"))).toEqual({});
    expect(await stateChains(tx([], "s1"))).toEqual({ chains: { upTo: 9, main: "m", root: rootOfEnds([]), ends: [] } });
    expect(await stateChains(tx([end], "main"))).toEqual({ chains: { upTo: 9, main: "m", root: rootOfEnds([stated]), ends: [stated] } });
    const begins = (...places: number[]) =>
      ({ auditChains: async () => places.map((place) => ({ chain: `c${place}`, first: { place, hash: "h" } })) }) as never;
    expect([await stateBegins(begins(0)), await stateBegins(begins(0, 2))]).toEqual([{}, { begins: [["c2", 2, "h"]] }]);
  });
});

describe("the check of chains", () => {
  const row = (number: number, more: Partial<AuditRow> = {}): AuditRow =>
    ({ number, chain: "main", place: 0, previous: "", hash: `h${number}`, ...more }) as AuditRow;
  const first = { number: 0, hash: "" };
  /** After lines 1 and 3 of the main chain, and 2 and 4 of "s1". */
  function checked(begin = first, upTo = 10) {
    const check = createChainCheck(begin, [{ chain: "s1", first: { place: 0, hash: "" }, last: { place: 2, hash: "h4" } }], upTo);
    const rows = [
      row(1, { previous: begin.hash }),
      row(2, { chain: "s1", place: 1 }),
      row(3, { chain: "", previous: "h1" }),
      row(4, { chain: "s1", place: 2, previous: "h2" }),
    ];
    for (const one of rows) expect(check.findFault(one)).toBeUndefined();
    return check;
  }

  it("finds a line that does not follow, or has another place", () => {
    const check = checked();
    expect(check.findFault(row(5, { previous: "h1" }))).toBe("it does not follow the line before it");
    expect(check.findFault(row(5, { chain: "s1", place: 4, previous: "h4" }))).toBe("it has not the place in its chain that follows");
    expect(check.findFault(row(5, { place: 1, previous: "h3" }))).toBe("it has not the place in its chain that follows");
    expect(check.findFault(row(5, { chain: "new", place: 1 }))).toBeUndefined();
  });

  it("finds ends that are stated otherwise", () => {
    const ends: StatedEnd[] = [["s1", 2, 4, "h4"]];
    const stated = (more: object = {}, list = ends) => ({ upTo: 4, main: "h3", root: rootOfEnds(list), ends: list, ...more });
    const check = checked();
    expect(check.findFaultIn(stated(), 7)).toBeUndefined();
    expect(check.findFaultIn(stated({ root: "other" }), 7)).toEqual({
      number: 7,
      fact: "the root that it states is not that of the ends that it states",
    });
    for (const wrong of [
      ["s1", 1, 4, "h4"],
      ["s1", 2, 3, "h4"],
      ["s1", 2, 4, "h5"],
    ] as StatedEnd[])
      expect(check.findFaultIn(stated({}, [wrong]), 7)).toEqual({
        number: wrong[2],
        fact: `line 7 states that it was line ${wrong[1]} of the chain s1 and the last one there: the chain was cut, or rewritten`,
      });
    expect(check.findFaultIn(stated({ main: "h1" }), 7)).toEqual({
      number: 4,
      fact: 'line 7 states another end of the chain "main": that chain was cut, or rewritten',
    });
    expect(check.findFaultIn(stated({}, []), 7)).toBeUndefined();
    expect(check.findFaultIn(stated({}, []), 7, { isAll: true })).toEqual({
      number: 4,
      fact: "line 7 confirms every line before it, and not this one",
    });
    expect(check.findFaultIn(stated(), 7, { isAll: true })).toBeUndefined();
  });

  it("asks nothing of what retention removed", () => {
    const check = createChainCheck({ number: 5, hash: "h3" }, [], 10);
    const ends: StatedEnd[] = [["s1", 9, 5, "other"]];
    expect(check.findFaultIn({ upTo: 4, main: "x", root: rootOfEnds([]), ends: [] }, 7)).toBeUndefined();
    expect(check.findFaultIn({ upTo: 5, main: "h3", root: rootOfEnds(ends), ends }, 7)).toBeUndefined();
    expect(check.findFaultIn({ upTo: 5, main: "x", root: rootOfEnds(ends), ends }, 7)).toMatchObject({ number: 5 });
  });

  it("finds that the ends are not those that were written last, or that a chain is not known", () => {
    const check = checked();
    expect(check.findFaultOfEnds({ number: 4, hash: "h3" })).toBeUndefined();
    expect(check.findFaultOfEnds({ number: 4, hash: "x" })).toEqual({ number: 4, fact: "it is not the line that was written last" });
    check.findFault(row(5, { chain: "s1", place: 3, previous: "h4" }));
    expect(check.findFaultOfEnds({ number: 5, hash: "h3" })).toEqual({
      number: 5,
      fact: "the chain s1 does not end with the line that was written last to it",
    });
    check.findFault(row(6, { chain: "new", place: 1 }));
    expect(check.findFaultOfEnds({ number: 6, hash: "h3" })).toEqual({ number: 6, fact: "its chain is not among the chains of the audit" });
  });

  it("takes lines that were written since its ends were read, and no end that is not among the lines", () => {
    const check = checked(first, 4);
    check.findFault(row(5, { chain: "s1", place: 3, previous: "h4" }));
    check.findFault(row(6, { chain: "new", place: 1 }));
    expect(check.findFaultOfEnds({ number: 6, hash: "h3" })).toBeUndefined();
    const chains = (place: number) => [{ chain: "s1", first: { place: 1, hash: "h0" }, last: { place, hash: `h${place - 1}` } }];
    expect(createChainCheck(first, chains(1), 0).findFaultOfEnds(first)).toBeUndefined();
    expect(createChainCheck(first, chains(2), 0).findFaultOfEnds(first)).toEqual({
      number: 0,
      fact: "the chain s1 does not end with the line that was written last to it",
    });
  });
});

describe("the log of definitions", () => {
  const entry = (tool: string, source = "s") => ({ kind: "grant", source, tool, print: null, detail: { why: tool } }) as const;

  it("is listed with whole entries, by source and tool, a hundred at once and a thousand at most", async () => {
    const asked: unknown[][] = [];
    const { store } = open(({ logBefore }) => ({ logBefore: (...args) => (asked.push(args), logBefore(...args)) }));
    await store.transaction((tx) => openDefinitionLog(tx).append([entry("a"), entry("b"), { ...entry("a", "t"), by: "boss" }], tx));
    const log = openDefinitionLog(store);
    const all = await log.list();
    expect(all.map(({ text, ...one }) => (expect(text).toContain(one.tool), one))).toEqual([
      { index: 2, at: now, by: "boss", kind: "grant", source: "t", tool: "a", print: null, detail: { why: "a" } },
      { index: 1, at: now, by: store.actor.agent, kind: "grant", source: "s", tool: "b", print: null, detail: { why: "b" } },
      { index: 0, at: now, by: store.actor.agent, kind: "grant", source: "s", tool: "a", print: null, detail: { why: "a" } },
    ]);
    const indexes = async (query: object) => (await log.list(query)).map(({ index }) => index);
    expect([
      await indexes({ source: "s" }),
      await indexes({ tool: "a" }),
      await indexes({ source: "t", tool: "b" }),
      await indexes({ before: 1 }),
    ]).toEqual([[1, 0], [2, 0], [], [0]]);
    await log.list({ limit: 1_001, source: "a\0" });
    expect([asked[0], asked.at(-1)]).toEqual([
      [Number.MAX_SAFE_INTEGER, 100, { owner: "local" }],
      [Number.MAX_SAFE_INTEGER, 1_000, { owner: "local", source: "a\ufffd" }],
    ]);
    const [line] = await listAudit(store, { kinds: ["definition-log"] });
    expect(line).toMatchObject({ subject: "definitions", at: now, body: { log: await log.head() } });
    await expect(log.append([entry("a")], store)).rejects.toMatchObject({
      code: "QUERY_INVALID",
      message: expect.stringMatching(/^The log of definitions is written in the transaction/),
    });
    await store.transaction((tx) => log.append([], tx));
    expect((await log.head()).size).toBe(3);
  });

  it("proves what is in it, and refuses what is not", async () => {
    const { store } = open();
    for (let index = 0; index < 5; index++) await store.transaction((tx) => openDefinitionLog(tx).append([entry(`t${index}`)], tx));
    const log = openDefinitionLog(store);
    const heads = await Promise.all([1, 2, 3, 4, 5].map((size) => log.head(size)));
    expect([heads.map(({ size }) => size), new Set(heads.map(({ root }) => root)).size, await log.head()]).toEqual([
      [1, 2, 3, 4, 5],
      5,
      heads[4],
    ]);
    expect([
      (await log.inclusionProof(0, 4)).length,
      (await log.inclusionProof(4, 5)).length,
      (await log.consistencyProof(2, 5)).length > 0,
    ]).toEqual([2, 1, true]);
    for (const [act, message] of [
      [() => log.head(6), "The size 6 is not in the log of definitions: it goes up to 5."],
      [() => log.inclusionProof(5, 5), "The index 5 is not in the log of definitions: it goes up to 4."],
      [() => log.inclusionProof(-1, 5), "The index -1 is not in the log of definitions: it goes up to 4."],
      [() => log.inclusionProof(0.5, 5), "The index 0.5 is not in the log of definitions: it goes up to 4."],
      [() => log.consistencyProof(3, 9), "The size 3 is not in the log of definitions: it goes up to 5."],
    ] as const)
      await expect(act()).rejects.toMatchObject({ code: "QUERY_INVALID", message });
    const { engine } = insideOf(store);
    const real = engine.logNodes;
    engine.logNodes = async (indexes) =>
      (await real(indexes)).map((row) => (row.index === 3 ? { ...row, nodes: row.nodes.slice(0, 64) } : row));
    await expect(log.head()).rejects.toMatchObject({
      code: "STORE_DAMAGED",
      message: "Entry 3 of the log of definitions is missing or damaged. See: toolrack audit verify",
    });
  });

  it("has a head that is signed where the audit has a key, and proofs with it", async () => {
    const { store } = open();
    await store.transaction((tx) => openDefinitionLog(tx).append([entry("a"), entry("b")], tx));
    const log = openDefinitionLog(store);
    const plain = await signedHead(store);
    expect(plain).toEqual({ head: { ...(await log.head()), at: now } });
    expect(verifyHead(plain)).toBe(false);
    const { keyId } = await keyAudit(store, createKeys({ current: Buffer.alloc(32, 5) }));
    const signed = await signedHead(store);
    expect(signed.signature).toEqual({
      keyId,
      publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
    });
    const { publicKey } = signed.signature!;
    expect([verifyHead(signed), verifyHead(signed, publicKey), verifyHead(signed, "00".repeat(32))]).toEqual([true, true, false]);
    expect(verifyHead({ ...signed, head: { ...signed.head, at: now + 1 } })).toBe(false);
    expect(verifyHead({ ...signed, signature: { ...signed.signature!, publicKey: "zz" } })).toBe(false);
    const [newest] = await log.list();
    const since = await log.head(1);
    expect(await proveEntry(store, newest!, since)).toEqual({
      format: "toolrack.proof.v1",
      entry: newest!.text,
      index: 1,
      head: signed.head,
      inclusion: await log.inclusionProof(1, 2),
      since: { head: since, consistency: await log.consistencyProof(1, 2) },
      signature: signed.signature,
    });
    expect(await proveEntry(store, newest!)).not.toHaveProperty("since");
    insideOf(store).auditKeys.isLocked = true;
    expect(await signedHead(store)).not.toHaveProperty("signature");
    await expect(proveEntry(store.as({ ...store.actor, roles: ["emitter"] }), newest!)).rejects.toThrow(/read the log of definitions/);
  });
});

describe("pruning the audit", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => ({ kind: "note", subject: "s", body: index }));

  it("removes the lines that are too old, too many or too large, and no more", async () => {
    const { store, clock } = open();
    await addToAudit(store, lines(3));
    await clock.advance(1_000);
    await addToAudit(store, lines(3));
    expect([await pruneAudit(store, {}), await pruneAudit(store, { maxAgeMs: 1_000 }), await pruneAudit(store, { maxRows: 6 })]).toEqual([
      0, 0, 0,
    ]);
    expect([await pruneAudit(store, { maxAgeMs: 999 }), await auditBegin(store)]).toEqual([3, 3]);
    const { bytes } = await insideOf(store).engine.writeAudit((tx) => tx.auditSize());
    expect([await pruneAudit(store, { maxBytes: bytes }), await pruneAudit(store, { maxBytes: bytes - 1 })]).toEqual([0, 1]);
    expect([await pruneAudit(store, { maxRows: 1 }), await auditBegin(store)]).toEqual([1, 5]);
    expect(await listAudit(store, { kinds: ["audit-pruned"] })).toEqual([]);
  });
});
