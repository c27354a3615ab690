import { createRegistry, defineTool, type Registry } from "@toolrack/core";
import { bundleProgram, type ChildServer, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { hasNats, startNats, type TestNats } from "@toolrack/testkit/nats";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIdentity, workerSource, type WorkerSource } from "../src/index.ts";
import { natsLink } from "../src/link/nats.ts";

const server = createIdentity();
const worker = createIdentity();
let program: string;

describe.skipIf(!hasNats)("workers in processes of their own, over a real broker", () => {
  beforeAll(async () => {
    program = await bundleProgram(new URL("_child.ts", import.meta.url));
  });
  afterAll(() => removeProgram(program));

  interface Pool {
    readonly nats: TestNats;
    readonly registry: Registry;
    readonly source: WorkerSource;
    start(slots?: number): Promise<Child>;
  }

  async function openPool({ offerMs = 500 } = {}): Promise<Pool> {
    const nats = await startNats();
    afterThisTest(() => nats.stop());
    const link = await natsLink({ servers: nats.url, user: "all", password: "all", system: nats.system });
    afterThisTest(() => link.close());
    const source = workerSource({ link, pool: "web", privateKey: server.privateKey, workers: [worker.publicKey], offerMs });
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    await registry.addSource(source);
    return {
      nats,
      registry,
      source,
      async start(slots = 8) {
        const before = source.workers().length;
        const child = startProgram(
          program,
          JSON.stringify({ url: nats.url, privateKey: worker.privateKey, servers: [server.publicKey], slots }),
        );
        const seen = (): Record<string, unknown>[] => child.lines as Record<string, unknown>[];
        await until(() => seen().some(({ is }) => is === "ready"));
        await until(() => source.workers().length === before + 1 && registry.get("once") !== undefined);
        return {
          ...child,
          instance: String(seen().find(({ is }) => is === "ready")!["instance"]),
          began: () => seen().flatMap(({ began }) => (began === undefined ? [] : [Number(began)])),
          async hold() {
            child.tell("hold");
            await until(() => seen().some(({ is }) => is === "holding"));
          },
        };
      },
    };
  }

  interface Child extends ChildServer {
    readonly instance: string;
    /** The calls that it began. */
    began(): number[];
    hold(): Promise<void>;
  }

  const hundred = Array.from({ length: 100 }, (_, n) => n);

  // Fault 1.
  // row: F22
  it("end idempotent calls exactly once each, although one of two is killed", async () => {
    const { registry, start } = await openPool();
    const [first, second] = [await start(), await start()];
    await first.hold();
    const calls = Promise.all(hundred.map((n) => registry.invoke("often", { n })));
    await until(() => first.began().length > 0);
    await first.end("SIGKILL");
    const results = await calls;
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    await until(() => second.began().length >= 100);
    expect(second.began().sort((a, b) => a - b)).toEqual(hundred);
  });

  // Fault 1.
  // row: F22
  it("tell each other call as lost that a killed worker had, and run none twice", async () => {
    const { registry, start } = await openPool();
    const [first, second] = [await start(), await start()];
    await first.hold();
    const calls = Promise.all(hundred.map((n) => registry.invoke("once", { n })));
    await until(() => first.began().length > 0 && second.began().length > 50);
    await first.end("SIGKILL");
    const results = await calls;
    const lost = results.flatMap((result, n) => (result.ok ? [] : [{ n, code: result.code }]));
    expect(lost.length).toBeGreaterThan(0);
    expect(new Set(lost.map(({ code }) => code))).toEqual(new Set(["WORKER_LOST"]));
    // Whatever the first one began is told as lost; the second one ran all the others, each once.
    expect(lost.map(({ n }) => n)).toEqual(expect.arrayContaining(first.began()));
    const others = hundred.filter((n) => !lost.some((one) => one.n === n));
    await until(() => second.began().length >= others.length);
    expect(second.began().sort((a, b) => a - b)).toEqual(others);
  });

  // fault 2
  it("lose a call in no stage without a word, and run none twice that must not be", async () => {
    // However long the next worker takes to start: an offer ends when its worker does.
    const { registry, source, start } = await openPool({ offerMs: 100_000 });

    // Before it was accepted: nothing ran, and another worker takes it.
    const first = await start();
    process.kill(first.pid, "SIGSTOP");
    const early = registry.invoke("once", { n: 1 });
    const second = await start();
    await first.end("SIGKILL");
    expect(await early).toMatchObject({ ok: true });
    await until(() => second.began().length > 0);
    expect([first.began(), second.began()]).toEqual([[], [1]]);

    // While it ran.
    await second.hold();
    const [once, often] = [registry.invoke("once", { n: 2 }), registry.invoke("often", { n: 3 })];
    await until(() => second.began().length === 3);
    const third = await start();
    await second.end("SIGKILL");
    expect(await once).toMatchObject({ ok: false, code: "WORKER_LOST", retryable: false });
    expect(await often).toMatchObject({ ok: true });

    // After its work was done, and before it could say so.
    await third.hold();
    expect(await registry.invoke("dies", { n: 4 })).toMatchObject({ ok: false, code: "WORKER_LOST" });
    await until(() => source.workers().length === 0);
    const fourth = await start();
    await fourth.hold();
    const repeated = registry.invoke("dies_often", { n: 5 });
    await until(() => fourth.began().length === 1);
    expect(await repeated).toMatchObject({ ok: false, code: expect.stringMatching(/WORKER_LOST|TOOL_UNAVAILABLE/) });
    await until(() => third.began().includes(4));
    expect([third.began(), fourth.began()]).toEqual([[3, 4], [5]]);
  });

  // fault 3
  it("run nothing that was offered to a stopped process, when it goes on", async () => {
    const { registry, source, start } = await openPool();
    const first = await start();
    process.kill(first.pid, "SIGSTOP");
    expect(await registry.invoke("once", { n: 1 })).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
    process.kill(first.pid, "SIGCONT");
    await until(() => source.workers().length === 1);
    expect(await registry.invoke("once", { n: 2 })).toMatchObject({ ok: true });
    await until(() => first.began().length > 0);
    expect(first.began()).toEqual([2]);
  });

  // fault 4
  it("tell running calls as lost when the broker is restarted, and are back after it", async () => {
    const { nats, registry, source, start } = await openPool();
    const first = await start();
    await first.hold();
    const running = registry.invoke("once", { n: 1 });
    await until(() => first.began().length === 1);
    await nats.end();
    expect(await running).toMatchObject({ ok: false, code: "WORKER_LOST" });
    // Nobody waits for a broker that is away.
    expect(await registry.invoke("once", { n: 2 })).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
    first.tell("go");
    await nats.start();
    await until(() => source.workers().length === 1);
    expect(await registry.invoke("once", { n: 3 })).toMatchObject({ ok: true });
    await until(() => first.began().length === 2);
    expect(first.began()).toEqual([1, 3]);
  });

  // fault 5
  it("leave local tools as they are while the broker is away, and answer for remote ones without waiting", async () => {
    const { nats, registry, source, start } = await openPool();
    registry.register(defineTool({ name: "near", description: "Is here.", inputSchema: { type: "object" }, handler: () => "here" }));
    await start();
    expect(await registry.invoke("once", { n: 1 })).toMatchObject({ ok: true });
    await nats.end();
    await until(() => source.workers().length === 0);
    const before = cpuTime();
    let answers: readonly string[] | undefined;
    void Promise.all(Array.from({ length: 100 }, (_, n) => registry.invoke("once", { n }))).then((results) => {
      answers = results.map((one) => (one.ok ? "ok" : one.code));
    });
    const near = await Promise.all(Array.from({ length: 100 }, () => registry.invoke("near", {})));
    expect(near.every(({ ok }) => ok)).toBe(true);
    // No timer and no message is needed for it: the event loop has to turn, and that is all.
    await turns();
    expect(new Set(answers)).toEqual(new Set(["TOOL_UNAVAILABLE"]));
    expect(cpuTime() - before).toBeLessThan(2_000);
  });

  // fault 7
  it("give a caller its turn, although another one floods them tenfold", async () => {
    const { registry, start } = await openPool();
    const child = await start(2);
    const by = (agent: string, n: number) => registry.invoke("once", { n }, { caller: { agent } });
    const flood = Promise.all(Array.from({ length: 200 }, (_, n) => by("flood", n)));
    for (let n = 1_000; n < 1_020; n++) expect(await by("small", n)).toMatchObject({ ok: true });
    // All of the other's calls waited before the first of these: none of them had to let more than a few of those pass.
    const began = child.began();
    const places = began.flatMap((n, place) => (n >= 1_000 ? [place] : []));
    const passed = places.map((place, index) => place - (places[index - 1] ?? 0) - 1);
    expect(Math.max(...passed)).toBeLessThanOrEqual(8);
    expect(places.at(-1)!).toBeLessThan(190);
    expect((await flood).every(({ ok }) => ok)).toBe(true);
  });

  // fault 6
  it("lose no call when one of them is drained under load", async () => {
    const { registry, source, start } = await openPool();
    const [first, second] = [await start(2), await start(2)];
    const calls = Promise.all(hundred.map((n) => registry.invoke("once", { n })));
    await until(() => first.began().length > 5);
    expect(source.drain(first.instance)).toBe(true);
    await until(() => (first.lines as { is?: string }[]).some(({ is }) => is === "ended"));
    expect((await calls).filter(({ ok }) => !ok)).toEqual([]);
    const began = (): number[] => [...first.began(), ...second.began()].sort((a, b) => a - b);
    await until(() => began().length >= 100);
    expect(began()).toEqual(hundred);
  });
});
