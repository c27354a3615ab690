import { describe, expect, it } from "vitest";
import { createIdentity } from "../../src/index.ts";
import { readKeys } from "../../src/protocol/identity.ts";
import { createSeal, type Seal } from "../../src/protocol/seal.ts";

const [server, worker, stranger] = [createIdentity(), createIdentity(), createIdentity()];

/** A server and a worker that trust each other, and whose clocks can be set. */
function openSeals() {
  const clocks = { server: 1_000_000, worker: 1_000_000 };
  const ofServer = createSeal({ keys: readKeys(server.privateKey), trusted: [worker.publicKey], now: () => clocks.server });
  const ofWorker = createSeal({ keys: readKeys(worker.privateKey), trusted: [server.publicKey], now: () => clocks.worker });
  const pair = (): void => {
    expect(ofServer.pairWith(ofWorker.self, ofWorker.exchange)).toBe(true);
    expect(ofWorker.pairWith(ofServer.self, ofServer.exchange)).toBe(true);
  };
  return { clocks, ofServer, ofWorker, pair };
}

const toWorker = (seal: Seal, to: Seal, body: object): Uint8Array => seal.paired("inbox", to.self.instance, body)!;

describe("a signed message", () => {
  it("is opened once, by those who trust its key, for its subject", () => {
    const { ofServer, ofWorker } = openSeals();
    const message = ofWorker.signed("news", { n: 1 });
    expect(ofServer.openSigned("other", message)).toBeUndefined();
    expect(ofServer.openSigned("news", message)).toEqual({ from: ofWorker.self, body: { n: 1 } });
    expect(ofServer.openSigned("news", message)).toBeUndefined();
    const foreign = createSeal({ keys: readKeys(stranger.privateKey), trusted: [], now: () => 1_000_000 });
    expect(ofServer.openSigned("news", foreign.signed("news", { n: 1 }))).toBeUndefined();
  });

  it("is opened in the order in which it was sent, and no earlier one after a later one", () => {
    const { ofServer, ofWorker } = openSeals();
    const [first, second] = [ofWorker.signed("news", { n: 1 }), ofWorker.signed("news", { n: 2 })];
    expect(ofServer.openSigned("news", second)?.body).toEqual({ n: 2 });
    expect(ofServer.openSigned("news", first)).toBeUndefined();
  });

  it.each([
    [120_000, true],
    [120_001, false],
    [-120_000, true],
    [-120_001, false],
  ])("is opened by a clock that differs by up to two minutes: %d ms, %s", (ms, isOpened) => {
    const { clocks, ofServer, ofWorker } = openSeals();
    clocks.server += ms;
    expect(ofServer.openSigned("news", ofWorker.signed("news", {})) !== undefined).toBe(isOpened);
  });
});

describe("a message under the key of two", () => {
  it("is opened once, by the other one, for its subject", () => {
    const { ofServer, ofWorker, pair } = openSeals();
    expect(ofServer.paired("inbox", ofWorker.self.instance, {})).toBeUndefined();
    pair();
    const message = toWorker(ofServer, ofWorker, { n: 1 });
    expect(ofWorker.openPaired("other", message)).toBeUndefined();
    expect(ofServer.openPaired("inbox", message)).toBeUndefined();
    expect(ofWorker.openPaired("inbox", message)).toEqual({ from: ofServer.self, body: { n: 1 } });
    expect(ofWorker.openPaired("inbox", message)).toBeUndefined();
  });

  it("is not opened where one byte of it is another", () => {
    const { ofServer, ofWorker, pair } = openSeals();
    pair();
    const message = toWorker(ofServer, ofWorker, { text: "pay 10" });
    const changed = Buffer.from(Buffer.from(message).toString().replace("pay 10", "pay 99"));
    expect(ofWorker.openPaired("inbox", changed)).toBeUndefined();
    expect(ofWorker.openPaired("inbox", message)).toBeDefined();
  });

  it("is not opened again after the two have met again, whichever of them forgot the other", () => {
    const { ofServer, ofWorker, pair } = openSeals();
    pair();
    const down = toWorker(ofServer, ofWorker, { n: 1 });
    const up = toWorker(ofWorker, ofServer, { n: 2 });
    expect(ofWorker.openPaired("inbox", down)).toBeDefined();
    expect(ofServer.openPaired("inbox", up)).toBeDefined();
    ofServer.forget(ofWorker.self.instance);
    expect(ofServer.paired("inbox", ofWorker.self.instance, {})).toBeUndefined();
    pair();
    expect(ofWorker.openPaired("inbox", down)).toBeUndefined();
    expect(ofServer.openPaired("inbox", up)).toBeUndefined();
    expect(ofWorker.openPaired("inbox", toWorker(ofServer, ofWorker, { n: 3 }))?.body).toEqual({ n: 3 });
    expect(ofServer.openPaired("inbox", toWorker(ofWorker, ofServer, { n: 4 }))?.body).toEqual({ n: 4 });
  });

  it("needs a key of the other side that is one", () => {
    const { ofServer, ofWorker } = openSeals();
    for (const exchange of ["", "nonsense", 5, null, {}]) expect(ofServer.pairWith(ofWorker.self, exchange)).toBe(false);
  });
});
