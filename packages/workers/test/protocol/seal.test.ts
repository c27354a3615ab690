import { sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createIdentity } from "../../src/index.ts";
import { createExchange } from "../../src/protocol/exchange.ts";
import { readKeys } from "../../src/protocol/identity.ts";
import { type CallMessage, createSeal, type Seal } from "../../src/protocol/seal.ts";

const [server, worker, stranger] = [createIdentity(), createIdentity(), createIdentity()];

/** A server and a worker that trust each other, and whose clocks can be set. */
function openSeals() {
  const clocks = { server: 1_000_000, worker: 1_000_000 };
  const ofServer = createSeal({ side: "server", keys: readKeys(server.privateKey), trusted: [worker.publicKey], now: () => clocks.server });
  const ofWorker = createSeal({ side: "worker", keys: readKeys(worker.privateKey), trusted: [server.publicKey], now: () => clocks.worker });
  const ofProcess = createExchange();
  /** As announcement and greeting do: the worker has one half for its life, the server another one each time. */
  const pair = (): void => {
    const own = createExchange();
    expect(ofServer.pairWith(ofWorker.self, own, ofProcess.publicKey)).toBe(true);
    expect(ofWorker.pairWith(ofServer.self, ofProcess, own.publicKey)).toBe(true);
  };
  /** As offer and answer do. */
  const begin = (call: string): void => {
    const [there, here] = [createExchange(), createExchange()];
    expect(ofServer.beginCall(ofWorker.self.instance, call, there, here.publicKey)).toBe(true);
    expect(ofWorker.beginCall(ofServer.self.instance, call, here, there.publicKey)).toBe(true);
  };
  return { clocks, ofServer, ofWorker, pair, begin };
}

const send = (from: Seal, to: Seal, body: CallMessage & { readonly text?: string }): Uint8Array =>
  from.sealed("inbox", to.self.instance, body)!;
const offer = (text = "") => ({ kind: "offer", call: "c", text }) as const;
const task = (text = "") => ({ kind: "run", call: "c", text }) as const;

describe("a signed message", () => {
  it("is opened once, by those who trust its key, for its subject", () => {
    const { ofServer, ofWorker } = openSeals();
    const message = ofWorker.signed("news", { n: 1 });
    expect(ofServer.openSigned("other", message)).toBeUndefined();
    expect(ofServer.openSigned("news", message)).toEqual({ from: ofWorker.self, body: { n: 1 } });
    expect(ofServer.openSigned("news", message)).toBeUndefined();
    const foreign = createSeal({ side: "worker", keys: readKeys(stranger.privateKey), trusted: [], now: () => 1_000_000 });
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

describe.each([
  ["a message under the keys of two processes", offer],
  ["a message under the keys of a call", task],
])("%s", (_, message) => {
  function openPair() {
    const seals = openSeals();
    const meet = (): void => {
      seals.pair();
      seals.begin("c");
    };
    return { ...seals, meet };
  }

  it("is opened once, by the other one, for its subject", () => {
    const { ofServer, ofWorker, meet } = openPair();
    expect(ofServer.sealed("inbox", ofWorker.self.instance, message())).toBeUndefined();
    meet();
    const sent = send(ofServer, ofWorker, message("1"));
    expect(ofWorker.open("other", sent)).toBeUndefined();
    expect(ofServer.open("inbox", sent)).toBeUndefined();
    expect(ofWorker.open("inbox", sent)).toEqual({ from: ofServer.self, body: message("1") });
    expect(ofWorker.open("inbox", sent)).toBeUndefined();
  });

  it("shows nothing of its content, however often the same is sent", () => {
    const { ofServer, ofWorker, meet } = openPair();
    meet();
    const [first, second] = [send(ofServer, ofWorker, message("canary")), send(ofServer, ofWorker, message("canary"))];
    const hidden = [first, second].map((one) => Buffer.from(one).subarray(Buffer.from(one).indexOf(10) + 1));
    for (const one of [first, second]) expect(Buffer.from(one).toString("latin1")).not.toMatch(/canary|offer|run/);
    expect(hidden[0]!.equals(hidden[1]!)).toBe(false);
  });

  it("is not opened where any byte of it is another", () => {
    const { ofServer, ofWorker, meet } = openPair();
    meet();
    const sent = Buffer.from(send(ofServer, ofWorker, message("pay 10")));
    for (let at = 0; at < sent.length; at++) {
      const changed = Buffer.from(sent);
      changed[at]! ^= 1;
      expect(ofWorker.open("inbox", changed)).toBeUndefined();
    }
    for (let length = 0; length < sent.length; length++) expect(ofWorker.open("inbox", sent.subarray(0, length))).toBeUndefined();
    expect(ofWorker.open("inbox", sent)).toBeDefined();
  });

  it("is not opened where it is sent back to who sent it, under any name", () => {
    const { ofServer, ofWorker, meet } = openPair();
    meet();
    const text = Buffer.from(send(ofServer, ofWorker, message())).toString("latin1");
    const renamed = Buffer.from(text.replace(ofServer.self.instance, ofWorker.self.instance), "latin1");
    expect(ofServer.open("inbox", renamed)).toBeUndefined();
  });

  it("is not opened again after the two have met again, whichever of them forgot the other", () => {
    const { ofServer, ofWorker, meet } = openPair();
    meet();
    const down = send(ofServer, ofWorker, message("1"));
    const late = send(ofServer, ofWorker, message("2"));
    const up = send(ofWorker, ofServer, message("3"));
    expect(ofWorker.open("inbox", down)).toBeDefined();
    expect(ofServer.open("inbox", up)).toBeDefined();
    ofServer.forget(ofWorker.self.instance);
    expect(ofServer.sealed("inbox", ofWorker.self.instance, message())).toBeUndefined();
    meet();
    for (const before of [down, late]) expect(ofWorker.open("inbox", before)).toBeUndefined();
    expect(ofServer.open("inbox", up)).toBeUndefined();
    expect(ofWorker.open("inbox", send(ofServer, ofWorker, message("4")))?.body).toEqual(message("4"));
    expect(ofServer.open("inbox", send(ofWorker, ofServer, message("5")))?.body).toEqual(message("5"));
  });
});

describe("two processes", () => {
  it("need a half of the other side that is one", () => {
    const { ofServer, ofWorker, pair } = openSeals();
    const weak = Buffer.alloc(32).toString("base64url"); // a point that leads to the same secret with every key
    for (const theirs of ["", "nonsense", weak, 5, null, {}])
      expect(ofServer.pairWith(ofWorker.self, createExchange(), theirs)).toBe(false);
    pair();
    for (const theirs of ["", "nonsense", weak, 5, null, {}])
      expect(ofServer.beginCall(ofWorker.self.instance, "c", createExchange(), theirs)).toBe(false);
  });

  it("say nothing of a call before it has keys, and after it has ended", () => {
    const { ofServer, ofWorker, pair, begin } = openSeals();
    pair();
    expect(ofServer.sealed("inbox", ofWorker.self.instance, task())).toBeUndefined();
    begin("c");
    const sent = send(ofServer, ofWorker, task());
    ofWorker.endCall(ofServer.self.instance, "c");
    expect(ofWorker.open("inbox", sent)).toBeUndefined();
  });

  it("take no message of one call for another one", () => {
    const { ofServer, ofWorker, pair, begin } = openSeals();
    pair();
    begin("c");
    begin("d");
    const text = Buffer.from(send(ofServer, ofWorker, task())).toString("latin1");
    expect(ofWorker.open("inbox", Buffer.from(text.replace('"call":"c"', '"call":"d"'), "latin1"))).toBeUndefined();
    expect(ofWorker.open("inbox", Buffer.from(text, "latin1"))).toBeDefined();
  });

  it("have other keys for each call: who learns those of one reads no other", () => {
    const { ofServer, ofWorker, pair } = openSeals();
    pair();
    const first = createExchange();
    const [here, there] = [createExchange(), createExchange()];
    ofServer.beginCall(ofWorker.self.instance, "c", here, there.publicKey);
    // The server's half is not the one that the message was encrypted with.
    ofWorker.beginCall(ofServer.self.instance, "c", there, first.publicKey);
    expect(ofWorker.open("inbox", send(ofServer, ofWorker, task()))).toBeUndefined();
  });
});

describe("a signed message of another version of the protocol", () => {
  it("is not opened, and is reported with its version", () => {
    const told: unknown[] = [];
    const ofServer = createSeal({
      side: "server",
      keys: readKeys(server.privateKey),
      trusted: [worker.publicKey],
      now: () => 1_000_000,
      onOtherProtocol: (from, version) => told.push([from.key, version]),
    });
    for (const version of [undefined, 1, 3]) {
      const claims = {
        protocol: version,
        to: "news",
        key: worker.publicKey,
        instance: "0".repeat(18),
        number: version ?? 0.5,
        at: 1_000_000,
      };
      const text = JSON.stringify({ ...claims, body: { kind: "beat" } });
      const by = sign(null, Buffer.from(text), readKeys(worker.privateKey).signing).toString("base64");
      expect(ofServer.openSigned("news", Buffer.from(`${by}\n${text}`))).toBeUndefined();
    }
    expect(told).toEqual([
      [worker.publicKey, 1],
      [worker.publicKey, 1],
      [worker.publicKey, 3],
    ]);
  });
});
