import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../src/exports/testing.ts";
import {
  createReranker,
  createToolIndex,
  type Embedder,
  type EmbeddingCache,
  type RerankerOptions,
  type SearchableTool,
} from "../../src/exports/search.ts";

const tools: SearchableTool[] = [
  { name: "record_a", description: "Keeps a record of kittens." },
  { name: "record_b", description: "Keeps a record of trucks." },
  { name: "record_c", description: "Keeps a record of bread." },
];
const topics = [/kitten|moggy/i, /truck|lorry/i, /bread|loaf/i];
const vectorOf = (text: string): number[] => topics.map((topic) => (topic.test(text) ? 1 : 0.1));

function setting(
  answer: (texts: readonly string[]) => readonly ArrayLike<number>[] = (texts) => texts.map(vectorOf),
  more: Partial<RerankerOptions> = {},
) {
  const batches: string[][] = [];
  const problems: string[] = [];
  const embedder: Embedder = {
    id: "topics-1",
    async embed(texts) {
      batches.push([...texts]);
      return answer(texts);
    },
  };
  const reranker = createReranker({ embedder, onProblem: (problem) => problems.push(problem), ...more });
  const index = createToolIndex(tools);
  const ask = async (query: string, signal?: AbortSignal) => reranker.rerank(query, index.search(query), signal && { signal });
  return { ask, batches, problems, index };
}
const namesOf = (hits: readonly { readonly tool: SearchableTool }[]) => hits.map((hit) => hit.tool.name);

describe("reordering hits by meaning", () => {
  it("moves the hit that means what is asked to the front, and says how near it is", async () => {
    const { ask, index } = setting();
    const query = "the record of my lorry";
    expect(namesOf(index.search(query))[0]).toBe("record_a");
    const hits = await ask(query);
    expect(namesOf(hits).sort()).toEqual(["record_a", "record_b", "record_c"]);
    expect(hits[0]?.tool.name).toBe("record_b");
    expect(hits[0]?.why.at(-1)).toEqual({ kind: "meaning", similarity: expect.closeTo(1, 2) });
    expect(hits[0]?.why[0]).toMatchObject({ kind: "word", word: "record" });
  });

  it("sends the query alone, then the texts of the hits, each once", async () => {
    const { ask, batches } = setting();
    await ask("record of my lorry");
    await ask("record of my loaf");
    expect(batches.map(({ length }) => length)).toEqual([1, 3, 1]);
    expect([batches[0], batches[2]]).toEqual([["record of my lorry"], ["record of my loaf"]]);
  });

  it("cuts a query that a model would refuse for its length", async () => {
    const { ask, batches } = setting();
    await ask(`record ${"of my lorry ".repeat(10_000)}`);
    expect(batches[0]![0]).toHaveLength(2_000);
  });

  it("sends no tool that was not found, and no more than the candidates", async () => {
    const { ask, batches } = setting(undefined, { candidates: 2 });
    expect(await ask("record")).toHaveLength(3);
    expect(batches[1]).toHaveLength(2);
    expect(batches.flat().join()).not.toContain("bread");
  });

  it("makes cached vectors of another length again", async () => {
    const kept = new Map<string, ArrayLike<number>>();
    const cache: EmbeddingCache = { get: (hash) => kept.get(hash), set: (hash, vector) => void kept.set(hash, vector) };
    await setting((texts) => texts.map(() => [1, 2]), { cache }).ask("record");
    const { ask, batches, problems } = setting(undefined, { cache });
    await ask("record of a lorry");
    expect([batches.map(({ length }) => length), problems]).toEqual([[1, 3], []]);
    expect([...kept.values()].every(({ length }) => length === 3)).toBe(true);
  });
});

describe("an embedder that fails", () => {
  it.each<[string, (texts: readonly string[]) => readonly ArrayLike<number>[], RegExp]>([
    [
      "an error",
      () => {
        throw new Error("model is down");
      },
      /model is down/,
    ],
    ["too few vectors", (texts) => texts.slice(1).map(vectorOf), /missing/],
    ["vectors of different lengths", (texts) => texts.map((text, at) => vectorOf(text).slice(0, 3 - (at % 2))), /different lengths/],
    ["NaN", (texts) => texts.map(() => [Number.NaN, 1, 1]), /not finite/],
    ["infinity", (texts) => texts.map(() => [Infinity, 1, 1]), /not finite/],
    ["zero vectors", (texts) => texts.map(() => [0, 0, 0]), /zero/],
  ])("leaves the order by words, and tells why: %s", async (_, answer, problem) => {
    const kept: unknown[] = [];
    const cache: EmbeddingCache = { get: () => undefined, set: (hash) => void kept.push(hash) };
    const { ask, problems, index } = setting(answer, { cache });
    expect(await ask("record of a lorry")).toEqual(index.search("record of a lorry"));
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems[0]).toContain("topics-1");
    expect(kept).toEqual([]);
  });

  it("is given up after the time, also if it ignores its signal, and then left alone for a while", async () => {
    const clock = createFakeClock();
    let signal: AbortSignal | undefined;
    const embedder: Embedder = {
      id: "slow",
      embed: (_, options) => {
        signal = options?.signal;
        return new Promise(() => undefined);
      },
    };
    const problems: string[] = [];
    const reranker = createReranker({
      embedder,
      clock,
      timeoutMs: 500,
      coolDownMs: 10_000,
      onProblem: (problem) => problems.push(problem),
    });
    const hits = createToolIndex(tools).search("record");
    const waiting = reranker.rerank("record", hits);
    await clock.advance(500);
    expect(await waiting).toBe(hits);
    expect(problems).toEqual([expect.stringContaining("longer than 500 ms")]);
    expect(signal?.aborted).toBe(true);
    signal = undefined;
    expect(await reranker.rerank("record", hits)).toBe(hits);
    expect(signal).toBeUndefined();
    await clock.advance(10_000);
    const again = reranker.rerank("record", hits);
    await clock.advance(500);
    await again;
    expect(problems).toHaveLength(2);
  });

  it("is not blamed when the caller gives up", async () => {
    const controller = new AbortController();
    const { ask, problems } = setting(() => {
      controller.abort();
      throw new Error("aborted");
    });
    expect(await ask("record", controller.signal)).toHaveLength(3);
    expect(problems).toEqual([]);
  });
});
