import { describe, expect, it } from "vitest";
import { createSharedResults, type PageRequest, type ResultPeers } from "../../../src/serve/long-results/shared-results.ts";
import type { ResultPage } from "../../../src/serve/long-results/result-handles.ts";
import { createSigner } from "../../../src/serve/signer.ts";

const key = "k".repeat(32);

/** Servers that ask each other. */
function cluster(count: number) {
  const serving = new Set<(request: PageRequest) => ResultPage | null | undefined>();
  const asked: PageRequest[] = [];
  const peers: ResultPeers = {
    ask: async (request) => {
      asked.push(request);
      for (const answer of serving) {
        const page = answer(request);
        if (page !== undefined) return page ?? undefined;
      }
      return undefined;
    },
    serve: (answer) => (serving.add(answer), () => void serving.delete(answer)),
  };
  const servers = Array.from({ length: count }, () => createSharedResults({ pageLength: 10, signer: createSigner(key), peers }));
  return { servers, asked, serving };
}

const idIn = (uri: string): string => uri.split("/").at(-2)!;

describe("pages of long results", () => {
  it("are read from the server that has them, whichever is asked", async () => {
    const { servers, asked } = cluster(2);
    const [here, there] = servers as [(typeof servers)[number], (typeof servers)[number]];
    const id = idIn(here.handles.keep("ada", "0123456789rest", "tell")!.uri);
    expect(here.pages.read("ada", id, 2)).toEqual({ text: "rest", tool: "tell" });
    expect(asked).toEqual([]);
    expect(await there.pages.read("ada", id, 2)).toEqual({ text: "rest", tool: "tell" });
    expect(asked).toEqual([{ principal: "ada", id, page: 2 }]);
    expect(await there.pages.read("ada", id, 9)).toBeUndefined();
  });

  it("that nobody made cause no question, and are for their owner", async () => {
    const { servers, asked } = cluster(2);
    const [here, there] = servers as [(typeof servers)[number], (typeof servers)[number]];
    const id = idIn(here.handles.keep("ada", "0123456789rest", "tell")!.uri);
    for (const [principal, one] of [
      ["eve", id],
      ["ada", "invented"],
      ["ada", createSigner(key).seal("result of ada", "x".repeat(256))],
    ] as const)
      expect(await there.pages.read(principal, one, 1)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("are no longer given to others once the server has closed", () => {
    const { servers, serving } = cluster(2);
    servers[0]!.close();
    expect(serving.size).toBe(1);
    const alone = createSharedResults({ pageLength: 10, signer: createSigner(key) });
    expect(alone.pages.read("ada", "x", 1)).toBeUndefined();
    expect(() => alone.close()).not.toThrow();
  });
});
