import { createMerkleLog, leafHash } from "@toolrack/core/internal";
import { describe, expect, it } from "vitest";
import { checkLog, readAnchor } from "../../src/audit/check-log.ts";
import type { AuditRow } from "../../src/engine/audit.ts";
import type { DefinitionLogReads, DefinitionLogRow } from "../../src/engine/definition-log.ts";

/** A log with these bodies, as an engine keeps it. */
function logOf(...bodies: string[]): { readonly rows: DefinitionLogRow[]; readonly log: ReturnType<typeof createMerkleLog> } {
  const log = createMerkleLog();
  const rows = bodies.map((body, index) => {
    log.appendLeaf(leafHash(body));
    let nodes = "";
    for (let level = 0, end = index + 1; ; level += 1, end /= 2) {
      nodes += log.node(level, end - 1);
      if (end % 2 === 1) break;
    }
    return { index, at: 0, owner: "o", kind: "k", source: "s", tool: "t", body, nodes };
  });
  return { rows, log };
}
const readsOf = (rows: readonly DefinitionLogRow[]): DefinitionLogReads =>
  ({
    logFrom: async (index: number, limit: number) => rows.filter((row) => row.index >= index).slice(0, limit),
  }) as unknown as DefinitionLogReads;

describe("the log of definitions", () => {
  const { rows, log } = logOf("a", "b", "c", "d", "e");

  it("is right where every entry has its hashes and every head was its own", async () => {
    const anchors = [1, 2, 4, 5].map((size) => ({ line: size, ...log.head(size) }));
    expect(await checkLog(readsOf(rows), anchors)).toEqual({ ok: true, head: log.head() });
    expect(await checkLog(readsOf([]), [])).toEqual({ ok: true, head: createMerkleLog().head() });
  });

  it("names the entry that is missing or changed", async () => {
    expect(await checkLog(readsOf(rows.toSpliced(2, 1)), [])).toEqual({
      ok: false,
      reason: "Entry 2 of the log of definitions is missing.",
    });
    for (const changed of [{ body: "x" }, { nodes: "" }])
      expect(await checkLog(readsOf(rows.with(3, { ...rows[3]!, ...changed })), [])).toEqual({
        ok: false,
        reason: "Entry 3 of the log of definitions does not match its hashes: it was changed.",
      });
  });

  it("names the line that it contradicts", async () => {
    const check = (anchor: object) => checkLog(readsOf(rows), [{ line: 7, size: 5, root: log.head(5).root, ...anchor }]);
    expect(await check({ size: -1 })).toEqual({
      ok: false,
      line: 7,
      reason: "the log of definitions had a head, and this line does not say which: it was changed",
    });
    expect(await check({ size: 6 })).toEqual({
      ok: false,
      line: 7,
      reason: "the log of definitions had 6 entries, and has 5: its end was cut off",
    });
    expect(await check({ size: 4 })).toEqual({
      ok: false,
      line: 7,
      reason: "the first 4 entries of the log of definitions had another root: the log was rewritten",
    });
  });

  it.each<[kind: string, body: unknown, anchor: object | undefined]>([
    ["definition-log", { log: { size: 2, root: "r" } }, { line: 3, size: 2, root: "r" }],
    ["audit-pruned", { log: { size: 2, root: "r" } }, { line: 3, size: 2, root: "r" }],
    ["audit-pruned", {}, undefined],
    ["definition-log", {}, { line: 3, size: -1, root: "" }],
    ["definition-log", { log: "x" }, { line: 3, size: -1, root: "" }],
    ["definition-log", { log: { size: 1.5, root: 5 } }, { line: 3, size: -1, root: "" }],
    ["call", { log: { size: 2, root: "r" } }, undefined],
  ])("has a head in a line of the kind %s with %j: %j", (kind, body, anchor) => {
    expect(readAnchor({ kind, number: 3, body: JSON.stringify(body) } as AuditRow)).toEqual(anchor);
  });
});
