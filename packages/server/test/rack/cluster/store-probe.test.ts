import { createFakeClock, type FakeClock } from "@toolrack/core/testing";
import { createMemoryStore, StoreError } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { createReadiness, type Readiness, type ReadinessReport } from "../../../src/rack/cluster/readiness.ts";

type State = "well" | "hangs" | "refuses" | "is full";

interface Opened {
  readonly readiness: Readiness;
  readonly clock: FakeClock;
  /** How writes go from now on. One that hangs is answered at the next change. */
  set(state: State): void;
  /** Probes this long after the last one, and answers as soon as the probe has given up waiting. */
  probe(afterMs?: number): Promise<ReadinessReport>;
  readonly lines: string[];
}

/** The readiness of a server whose store in memory answers writes as the test says. */
function open(): Opened {
  const clock = createFakeClock(1_000_000);
  const lines: string[] = [];
  const note = (text: string): void => void lines.push(text);
  let state: State = "well";
  let release: (() => void) | undefined;
  const store = createMemoryStore();
  const servers = {
    get name(): string {
      if (state === "refuses") throw new StoreError("STORE_UNAVAILABLE", "It is away.");
      if (state === "is full") throw new StoreError("STORE_FULL", "It is full.");
      return "one";
    },
  };
  const readiness = createReadiness({
    store,
    servers,
    masterKey: {
      check: async () => {
        if (state === "hangs") await new Promise<void>((resolve) => (release = resolve));
        return {} as never;
      },
      explain: () => undefined,
    },
    sources: () => [],
    file: undefined,
    log: { debug: () => undefined, info: note, warn: note, error: note },
    clock,
  });
  return {
    readiness,
    clock,
    lines,
    set(next) {
      state = next;
      release?.();
    },
    async probe(afterMs = 1_000) {
      await clock.advance(afterMs);
      let report: ReadinessReport | undefined;
      const checked = readiness.check().then((found) => (report = found));
      await clock.advance(2_000);
      await checked;
      return report!;
    },
  };
}

describe("the readiness of a server whose store was well", () => {
  it("stays with the word slow while the store does not answer, and ends after thirty seconds without an answer", async () => {
    const { probe, set, lines } = open();
    expect(await probe()).toMatchObject({ isReady: true, checks: { store: "ok" } });
    set("hangs");
    const slow = { isReady: true, checks: { store: "slow", masterKey: "ok", migrations: "ok" } };
    // Each probe takes two seconds, and begins one second after the last one ended.
    for (let seconds = 2; seconds < 30; seconds += 3) expect(await probe(), `after ${seconds} s`).toMatchObject(slow);
    expect(await probe()).toMatchObject({ isReady: false, checks: { store: "unavailable" } });
    set("well");
    expect(await probe()).toMatchObject({ isReady: true, checks: { store: "ok" } });
    expect(lines).toEqual([
      "The store does not answer as it should. The server stays ready for now.",
      "The server is not ready.",
      "The server is ready again.",
    ]);
  });

  it("stays while a slow store answers each time, however long that goes on", async () => {
    const { probe, set } = open();
    await probe();
    for (let round = 0; round < 20; round++) {
      set("hangs");
      expect(await probe(3_000)).toMatchObject({ isReady: true, checks: { store: "slow" } });
      set("well");
      expect(await probe(3_000)).toMatchObject({ isReady: true, checks: { store: "ok" } });
    }
  });

  it("ends with the third refusal in a row, and not with two", async () => {
    const { probe, set } = open();
    await probe();
    for (const [state, store] of [
      ["refuses", "read-only"],
      ["is full", "full"],
    ] as const) {
      for (let round = 0; round < 3; round++) {
        set(state);
        for (let refused = 0; refused < 2; refused++) expect(await probe()).toMatchObject({ isReady: true, checks: { store } });
        set("well");
        expect(await probe()).toMatchObject({ isReady: true, checks: { store: "ok" } });
      }
      set(state);
      const reports = [await probe(), await probe(), await probe(), await probe()];
      expect(reports.map(({ isReady }) => isReady)).toEqual([true, true, false, false]);
      set("well");
      expect(await probe()).toMatchObject({ isReady: true, checks: { store: "ok" } });
    }
  });
});

it("a server is not ready before its store has answered once", async () => {
  for (const [state, store] of [
    ["hangs", "unavailable"],
    ["refuses", "read-only"],
  ] as const) {
    const { probe, set } = open();
    set(state);
    expect(await probe()).toMatchObject({ isReady: false, checks: { store } });
    set("well");
    expect(await probe()).toMatchObject({ isReady: true, checks: { store: "ok" } });
  }
});

it("a refusal that comes only after the time of a probe is none: a hanging database gives its questions up", async () => {
  const clock = createFakeClock(1_000_000);
  let refuse: (error: Error) => void = () => undefined;
  let hangs = false;
  const { createStoreProbe } = await import("../../../src/rack/cluster/store-probe.ts");
  const probe = createStoreProbe({
    write: () => (hangs ? new Promise((_, reject) => (refuse = reject)) : Promise.resolve()),
    read: async () => "facts",
    hasRoom: async () => true,
    clock,
  });
  await probe();
  hangs = true;
  for (let round = 0; round < 4; round++) {
    const first = probe();
    await clock.advance(2_000);
    expect(await first).toMatchObject({ store: "slow", isUsable: true });
    const second = probe();
    refuse(new StoreError("STORE_UNAVAILABLE", "canceling statement due to statement timeout"));
    expect(await second).toMatchObject({ store: "slow", isUsable: true });
  }
  await clock.advance(30_000);
  const late = probe();
  await clock.advance(2_000);
  expect(await late).toMatchObject({ store: "unavailable", isUsable: false });
});
