import { describe, expect, it } from "vitest";
import { createMerkleLog, leafHash } from "../../src/trust/merkle.ts";
import { type DefinitionProof, verifyProof } from "../../src/trust/proof.ts";

const textOf = (tool: string): string => JSON.stringify({ tool, print: `v1:sha256:${tool}` });
const logOf = (...tools: readonly string[]): ReturnType<typeof createMerkleLog> => {
  const log = createMerkleLog();
  for (const tool of tools) log.appendLeaf(leafHash(textOf(tool)));
  return log;
};

/** As a server gives it: an entry of the log, and that the log begins with its first entries. */
function proofOf(tools: readonly string[], index: number, from: number): DefinitionProof {
  const log = logOf(...tools);
  return {
    format: "toolrack.proof.v1",
    entry: textOf(tools[index]!),
    index,
    head: { ...log.head(), at: 1 },
    inclusion: log.inclusionProof(index),
    since: { head: log.head(from), consistency: log.consistencyProof(from) },
  };
}

const honest = ["a", "b", "c", "d", "e"];
const kept = logOf(...honest).head(3);

describe("a proof", () => {
  it("holds for an entry of a log that begins with the head that was kept", () => {
    for (let index = 0; index < honest.length; index++)
      expect(verifyProof(proofOf(honest, index, 3), { since: kept })).toMatchObject({ ok: true, entry: { tool: honest[index] } });
  });

  it("of a log that was rewritten is refused, whatever it says about the head that was kept", () => {
    const rewritten = ["a", "x", "c", "d", "e"];
    const forged = proofOf(rewritten, 4, 3);
    const since = { head: kept, consistency: forged.since!.consistency };
    for (const consistency of [since.consistency, proofOf(honest, 4, 3).since!.consistency, []])
      expect(verifyProof({ ...forged, since: { head: kept, consistency } }, { since: kept })).toMatchObject({
        ok: false,
        reason: expect.stringContaining("rewritten"),
      });
    expect(verifyProof({ ...forged, since })).toMatchObject({ ok: false });
    expect(verifyProof(forged, { since: kept })).toMatchObject({ ok: false, reason: expect.stringContaining("does not reach back") });
    const { since: _, ...alone } = forged;
    expect(verifyProof(alone, { since: kept })).toMatchObject({ ok: false });
  });

  it("of another log of the same size is refused", () => {
    const newest = logOf(...honest).head();
    const forged = { ...proofOf(["a", "x", "c", "d", "e"], 4, 3), since: { head: newest, consistency: [] } };
    expect(verifyProof(forged, { since: newest })).toMatchObject({ ok: false, reason: expect.stringContaining("rewritten") });
  });

  it("of a log that was cut off behind the head that was kept is refused", () => {
    const short = proofOf(["a", "b"], 1, 1);
    expect(verifyProof(short, { since: kept })).toMatchObject({ ok: false });
    expect(verifyProof({ ...short, since: { head: kept, consistency: [] } }, { since: kept })).toMatchObject({ ok: false });
  });

  it.each([
    ["nothing", undefined],
    ["another format", { ...proofOf(honest, 1, 3), format: "toolrack.proof.v2" }],
    ["an entry that is no text", { ...proofOf(honest, 1, 3), entry: JSON.parse(textOf("b")) as unknown }],
    ["an entry that is no object", { ...proofOf(honest, 1, 3), entry: '"b"' }],
    ["an entry in other letters", { ...proofOf(honest, 1, 3), entry: `${textOf("b")} ` }],
    ["an index as text", { ...proofOf(honest, 1, 3), index: "1" }],
    ["the index of another entry", { ...proofOf(honest, 1, 3), index: 2 }],
    ["a head without a time", { ...proofOf(honest, 1, 3), head: logOf(...honest).head() }],
    ["an older head that is none", { ...proofOf(honest, 1, 3), since: null }],
    ["an older head as text", { ...proofOf(honest, 1, 3), since: "3" }],
    ["an older head without a proof", { ...proofOf(honest, 1, 3), since: { head: kept } }],
  ])("with %s is refused, and throws nothing", (_what, proof) => {
    expect(verifyProof(proof)).toMatchObject({ ok: false, reason: expect.any(String) });
  });
});
