import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMerkleLog, headText, leafHash, verifyConsistency, verifyInclusion } from "../../src/trust/merkle.ts";

const sizes = Array.from({ length: 71 }, (_, size) => size);
const logOf = (size: number, change = (entry: string): string => entry): ReturnType<typeof createMerkleLog> => {
  const log = createMerkleLog();
  for (let index = 0; index < size; index++) log.append(change(`entry ${index}`));
  return log;
};
const log = logOf(70);

/** Another bit in one hexadecimal digit. */
const flipped = (hash: string, digit: number): string => {
  const other = (Number.parseInt(hash[digit]!, 16) ^ 1).toString(16);
  return hash.slice(0, digit) + other + hash.slice(digit + 1);
};

describe("a Merkle log", () => {
  it("hashes leaves and nodes as RFC 9162 does", () => {
    const sha = (...parts: (string | Buffer)[]): Buffer =>
      createHash("sha256")
        .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
        .digest();
    const [a, b] = [sha("\u0000", "entry 0"), sha("\u0000", "entry 1")];
    expect(log.head(0).root).toBe(sha("").toString("hex"));
    expect(log.head(1).root).toBe(a.toString("hex"));
    expect(log.head(2).root).toBe(sha("\u0001", a, b).toString("hex"));
    expect(leafHash("entry 0")).toBe(a.toString("hex"));
    expect(leafHash(new TextEncoder().encode("entry 0"))).toBe(a.toString("hex"));
  });

  it("proves every entry of every size from 1 to 70, and no other", () => {
    const wrong: string[] = [];
    for (const size of sizes.slice(1)) {
      const head = log.head(size);
      for (let index = 0; index < size; index++) {
        const claim = { leaf: leafHash(`entry ${index}`), index, head, proof: log.inclusionProof(index, size) };
        if (!verifyInclusion(claim)) wrong.push(`${index} of ${size} is not proved`);
        if (verifyInclusion({ ...claim, leaf: leafHash("another entry") })) wrong.push(`another entry passes for ${index} of ${size}`);
        if (size > 1 && verifyInclusion({ ...claim, index: (index + 1) % size })) wrong.push(`${index} of ${size} passes at another index`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("proves that every later head begins with every earlier one", () => {
    const wrong: string[] = [];
    for (const to of sizes) {
      for (let from = 0; from <= to; from++) {
        if (!verifyConsistency({ from: log.head(from), to: log.head(to), proof: log.consistencyProof(from, to) }))
          wrong.push(`${from} to ${to}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("refuses each flipped bit of a leaf, a root and a proof", () => {
    const claim = { leaf: leafHash("entry 11"), index: 11, head: log.head(70), proof: log.inclusionProof(11) };
    const between = { from: log.head(23), to: log.head(70), proof: log.consistencyProof(23) };
    for (let digit = 0; digit < 64; digit++) {
      expect(verifyInclusion({ ...claim, leaf: flipped(claim.leaf, digit) })).toBe(false);
      expect(verifyInclusion({ ...claim, head: { size: 70, root: flipped(claim.head.root, digit) } })).toBe(false);
      for (const [place] of claim.proof.entries())
        expect(verifyInclusion({ ...claim, proof: claim.proof.with(place, flipped(claim.proof[place]!, digit)) })).toBe(false);
      for (const [place] of between.proof.entries())
        expect(verifyConsistency({ ...between, proof: between.proof.with(place, flipped(between.proof[place]!, digit)) })).toBe(false);
      expect(verifyConsistency({ ...between, from: { size: 23, root: flipped(between.from.root, digit) } })).toBe(false);
    }
  });

  it("finds no old head consistent with a log that was rewritten", () => {
    const rewritten = logOf(70, (entry) => (entry === "entry 5" ? "another" : entry));
    for (const from of sizes.slice(6)) {
      expect(verifyConsistency({ from: log.head(from), to: rewritten.head(), proof: rewritten.consistencyProof(from) })).toBe(false);
      expect(verifyConsistency({ from: log.head(from), to: rewritten.head(), proof: log.consistencyProof(from) })).toBe(false);
    }
  });

  it("answers malformed claims with false, and refuses sizes it does not have", () => {
    const claim = { leaf: leafHash("entry 1"), index: 1, head: log.head(70), proof: log.inclusionProof(1) };
    for (const broken of [
      { ...claim, proof: claim.proof.slice(1) },
      { ...claim, proof: [...claim.proof, claim.leaf] },
      { ...claim, index: -1 },
      { ...claim, index: 70 },
      { ...claim, index: 0.5 },
      { ...claim, head: { size: 0, root: claim.head.root } },
      { ...claim, proof: ["zz"] },
    ])
      expect(verifyInclusion(broken)).toBe(false);
    // The root of a longer log is no leaf, though without a proof the two are equal.
    expect(verifyInclusion({ leaf: claim.leaf, index: 0, head: { size: 2, root: claim.leaf }, proof: [] })).toBe(false);
    expect(verifyConsistency({ from: log.head(9), to: log.head(8), proof: [] })).toBe(false);
    expect(verifyConsistency({ from: { size: 0, root: log.head(1).root }, to: log.head(8), proof: [] })).toBe(false);
    expect(() => log.inclusionProof(70)).toThrow("The index 70 is not in this Merkle log");
    expect(() => log.head(71)).toThrow("The size 71 is not in this Merkle log");
    expect(() => log.consistencyProof(5, 4)).toThrow(RangeError);
    expect(() => log.appendLeaf("x")).toThrow("64 hexadecimal digits");
  });

  it("can be built again from its leaf hashes", () => {
    const leaves = sizes.slice(0, 70).map((index) => leafHash(`entry ${index}`));
    expect(createMerkleLog(leaves).head()).toEqual(log.head());
    expect(headText(log.head(2), 5)).toBe(`toolrack.log-head.v1\n2\n${log.head(2).root}\n5\n`);
  });
});
