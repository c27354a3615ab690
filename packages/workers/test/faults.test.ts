import { createRegistry, type Registry } from "@toolrack/core";
import { bundleProgram, type ChildServer, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { hasNats, startNats, type TestNats } from "@toolrack/testkit/nats";
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

  async function openPool(): Promise<Pool> {
    const nats = await startNats();
    afterThisTest(() => nats.stop());
    const link = await natsLink({ servers: nats.url, user: "all", password: "all", system: nats.system });
    afterThisTest(() => link.close());
    const source = workerSource({ link, pool: "web", privateKey: server.privateKey, workers: [worker.publicKey], offerMs: 500 });
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
