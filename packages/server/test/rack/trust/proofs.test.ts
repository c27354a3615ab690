import { codeSource, defineTool } from "@toolrack/core";
import { createMerkleLog } from "@toolrack/core/trust";
import { createMemoryEngine, createStore, openDefinitionLog } from "@toolrack/store";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { followAgreement } from "../../../src/rack/cluster/agreement.ts";
import { followLogHeads } from "../../../src/rack/trust/log-heads.ts";
import { checkProof } from "../../../src/rack/trust/log-proofs.ts";

const greet = defineTool({ name: "greet", description: "Greets.", inputSchema: { type: "object" }, handler: () => "hello" });
const entry = (tool: string) => ({ kind: "first-sight", source: "mine", tool, print: "v1:sha256:00" }) as const;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe("a proof of a definition", () => {
  it("is given by the server, and checked without it, alone and against a head that was kept", async () => {
    await using server = await openTestServer();
    const { rack } = server;
    await rack.registry.addSource(codeSource("mine", [greet]));
    expect(await server.ask("GET", "/tools/nothing/proof")).toMatchObject({ status: 404 });
    await rack.trust.settled();
    const append = (...tools: string[]) => rack.store.transaction((tx) => openDefinitionLog(tx).append(tools.map(entry), tx));
    await append("greet", "a");
    const { body: kept } = await server.ask("GET", "/definition-log/head");
    await append("b", "c");
    const { size: sinceSize, root: sinceRoot } = kept.head;
    const { status, body: proof } = await server.ask("GET", `/tools/greet/proof?sinceSize=${sinceSize}&sinceRoot=${sinceRoot}`);
    expect([status, JSON.parse(proof.entry)]).toMatchObject([200, { tool: "greet", source: "mine", kind: "first-sight" }]);
    expect(checkProof(proof, { since: kept.head })).toMatchObject({ ok: true, signature: "unchecked", entry: { tool: "greet" } });
    expect(checkProof(proof, { publicKey: kept.signature.publicKey })).toMatchObject({ ok: true, signature: "valid" });
    expect(checkProof(proof, { publicKey: "00".repeat(32) })).toMatchObject({ ok: false, reason: expect.stringContaining("another key") });
    expect(checkProof({ ...proof, head: { ...proof.head, at: 1 } })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("signature"),
    });
    expect(checkProof({ ...proof, entry: proof.entry.replace("greet", "great") })).toMatchObject({ ok: false });
    const { signature: _, ...unsigned } = proof;
    expect(checkProof(unsigned)).toMatchObject({ ok: true, signature: "absent" });
    expect(checkProof(unsigned, { publicKey: kept.signature.publicKey })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("not signed"),
    });
    expect(checkProof(proof, { since: { ...kept.head, root: "0".repeat(64) } })).toMatchObject({ ok: false });
    expect(checkProof(proof, { definition: { name: "greet" } })).toMatchObject({ ok: false, reason: expect.stringContaining("print") });
    expect((await server.ask("POST", "/proofs/verification", { proof, since: { size: sinceSize, root: sinceRoot } })).body).toMatchObject({
      ok: true,
    });
    expect((await server.ask("POST", "/proofs/verification", { proof: { format: "x" } })).body).toMatchObject({ ok: false });
    const { entries, next } = (await server.ask("GET", "/definition-log?limit=3")).body as {
      entries: { tool: string; index: number }[];
      next: number;
    };
    expect([entries.map(({ tool }) => tool), next]).toEqual([["c", "b", "a"], entries[2]!.index]);
  });
});

describe("two servers of one store", () => {
  it("that show different logs of definitions are found, as is a log that was replaced under a server", async () => {
    const open = async (...tools: string[]) => {
      const store = createStore(createMemoryEngine());
      await store.transaction((tx) => openDefinitionLog(tx).append(tools.map(entry), tx));
      return store;
    };
    const [mine, theirs] = [await open("a", "b"), await open("a", "x", "c")];
    const heads = followLogHeads(mine);
    expect([await heads.look(), heads.last]).toEqual([undefined, await openDefinitionLog(mine).head()]);
    const log = await openDefinitionLog(theirs).head();
    const other = { name: "server-2", isThis: false, status: "active", lastSeen: "", info: { log } } as const;
    const same = { ...other, name: "server-3", info: { log: heads.last! } };
    const servers = { name: "server-1", lease: {} as never, list: async () => [other, same] };
    const agreement = followAgreement({ servers: { ...servers, self: () => ({}) }, heads, log: silent });
    expect(await agreement.differences()).toMatchObject([
      {
        server: "server-2",
        hasOtherLog: true,
        level: "warning",
        message: expect.stringMatching(/shows another log.*toolrack proof verify/),
      },
    ]);
    expect(await heads.faultOf({ size: 1, root: createMerkleLog().head().root })).toContain("the root");
    await agreement.close();
    await mine.close();
    await theirs.close();
  });

  it("of which one has its log replaced tell that at every look, and keep the head that they saw", async () => {
    const engines = [createMemoryEngine(), createMemoryEngine()] as const;
    const stores = engines.map((engine) => createStore(engine));
    for (const [index, store] of stores.entries())
      await store.transaction((tx) => openDefinitionLog(tx).append(["a", `b${index}`].map(entry), tx));
    let [now] = engines;
    /** A store whose database is another one later. */
    const swapped = new Proxy(engines[0], {
      get(_, key) {
        const value: unknown = Reflect.get(now, key);
        return typeof value === "function" ? (value.bind(now) as unknown) : value;
      },
    });
    const heads = followLogHeads(createStore(swapped));
    expect(await heads.look()).toBeUndefined();
    const seen = heads.last;
    now = engines[1];
    for (const _ of [1, 2]) expect(await heads.look()).toContain("for 2 entries, and this one has");
    expect(heads.last).toEqual(seen);
    for (const store of stores) await store.close();
  });
});
