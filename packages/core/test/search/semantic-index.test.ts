import { describe, expect, it } from "vitest";
import { createSemanticIndex, type Embedder, type EmbeddingCache, type SearchableTool } from "../../src/exports/search.ts";

const tools: SearchableTool[] = [
  { name: "pet_shop", description: "Buys kittens and puppies." },
  { name: "car_dealer", description: "Buys sedans and trucks." },
  { name: "bakery", description: "Buys bread." },
];

/** Three directions: animals, vehicles, food. */
const topics = [/kitten|pupp|cat\b|moggy/i, /sedan|truck|automobile/i, /bread|loaf/i];

function fakeModel() {
  const batches: string[][] = [];
  const embedder: Embedder = {
    id: "topics-1",
    async embed(texts) {
      batches.push([...texts]);
      return texts.map((text) => topics.map((topic) => (topic.test(text) ? 1 : 0.01)));
    },
  };
  return { embedder, batches };
}
const namesOf = (hits: readonly { readonly tool: SearchableTool }[]) => hits.map((hit) => hit.tool.name);

describe("searching with an embedder", () => {
  it("finds by meaning what shares no word, and says how near it is", async () => {
    const { embedder } = fakeModel();
    const [first] = await createSemanticIndex(tools, { embedder }).search("something moggy");
    expect(first?.tool.name).toBe("pet_shop");
    expect(first?.why).toEqual([{ kind: "meaning", similarity: expect.closeTo(1, 2) }]);
  });

  it("weighs words and meaning as told", async () => {
    const { embedder } = fakeModel();
    const query = "bread automobile";
    expect(namesOf(await createSemanticIndex(tools, { embedder, weight: 0 }).search(query))[0]).toBe("bakery");
    const meant = await createSemanticIndex(tools, { embedder, weight: 1 }).search("an automobile");
    expect(namesOf(meant)[0]).toBe("car_dealer");
    expect(meant[0]?.score).toBeCloseTo(1);
  });

  it("embeds in batches, each text once, and only what is new", async () => {
    const { embedder, batches } = fakeModel();
    const index = createSemanticIndex(tools, { embedder, batchSize: 2 });
    await index.search("bread");
    expect(batches.map(({ length }) => length)).toEqual([2, 1, 1]);
    await index.search("cat");
    expect(batches.slice(3)).toEqual([["cat"]]);
    const added = { name: "florist", description: "Buys roses." };
    index.add(added);
    index.add({ ...tools[0]! }); // the same text again
    expect(index.size).toBe(5);
    await index.search("roses");
    expect(batches.slice(4).map(({ length }) => length)).toEqual([1, 1]);
    index.remove(added);
    expect(namesOf(await index.search("roses", { limit: 9 }))).not.toContain("florist");
  });

  it("takes vectors that were kept for the same model and text", async () => {
    const kept = new Map<string, ArrayLike<number>>();
    const cache: EmbeddingCache = { get: (hash) => kept.get(hash), set: (hash, vector) => void kept.set(hash, vector) };
    await createSemanticIndex(tools, { embedder: fakeModel().embedder, cache }).search("bread");
    expect(kept.size).toBe(3); // tools, not queries
    const { embedder, batches } = fakeModel();
    await createSemanticIndex(tools, { embedder, cache }).search("loaf");
    expect(batches).toEqual([["loaf"]]);
    const other = fakeModel();
    await createSemanticIndex(tools, { embedder: { ...other.embedder, id: "topics-2" }, cache }).search("loaf");
    expect(other.batches).toHaveLength(2);
  });

  it("searches only among the tools it is told, and sends no other to the model", async () => {
    const { embedder, batches } = fakeModel();
    const index = createSemanticIndex(tools, { embedder });
    expect(namesOf(await index.search("kittens", { among: [tools[2]!, { name: "stranger", description: "kittens" }] }))).toEqual([
      "bakery",
    ]);
    expect(batches.flat().join()).not.toContain("kittens and puppies");
  });

  it("answers by words where a vector is missing, wrong or of another length", async () => {
    const broken: Embedder = {
      id: "broken",
      embed: async (texts) => texts.slice(1).map((_, place) => (place === 0 ? [Number.NaN] : [0, 0])),
    };
    expect(namesOf(await createSemanticIndex(tools, { embedder: broken }).search("bread"))).toEqual(["bakery"]);
  });

  it("rejects with what the embedder rejects with, and stops when told", async () => {
    const failing: Embedder = { id: "down", embed: async () => Promise.reject(new Error("model is down")) };
    await expect(createSemanticIndex(tools, { embedder: failing }).search("bread")).rejects.toThrow("model is down");
    const { embedder, batches } = fakeModel();
    await expect(createSemanticIndex(tools, { embedder }).search("bread", { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(batches).toEqual([]);
  });
});
