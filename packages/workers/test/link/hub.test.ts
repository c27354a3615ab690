import { sign } from "node:crypto";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createIdentity } from "../../src/index.ts";
import { mayPublish, maySubscribe } from "../../src/link/permissions.ts";
import { dial } from "../../src/link/websocket/handshake.ts";
import { createPeer } from "../../src/link/websocket/peer.ts";
import { printOf, readKeys } from "../../src/protocol/identity.ts";
import { decodeLinkFrame, encodeLinkFrame, type LinkFrame, proofText } from "../../src/protocol/link-frames.ts";
import { openHub } from "../_links.ts";

const worker = createIdentity();
const other = createIdentity();
const print = printOf(worker.publicKey);

/** A connection that says only what a test wants. */
async function connect(url: string) {
  const signal = new AbortController().signal;
  const connection = await dial({ url: new URL(url), token: "key", timeoutMs: 60_000, maxBytes: 100_000, signal });
  const heard: LinkFrame[] = [];
  const ends: string[] = [];
  const peer = createPeer(connection, {
    onMessage: (bytes) => void heard.push(decodeLinkFrame(bytes)!),
    onEnd: (reason) => void ends.push(reason),
  });
  afterThisTest(() => connection.websocket.terminate());
  await until(() => heard[0]?.kind === "challenge");
  const { nonce } = heard[0] as Extract<LinkFrame, { kind: "challenge" }>;
  const say = (frame: LinkFrame): void => peer.send(encodeLinkFrame(frame));
  const signed = (by = worker, text = nonce): string => sign(null, proofText(text), readKeys(by.privateKey).signing).toString("base64");
  const prove = (signature = signed(), publicKey = worker.publicKey): void => say({ kind: "proof", publicKey, signature });
  // What comes with the proof counts as sent before it.
  const welcome = (): Promise<void> => until(() => heard.some(({ kind }) => kind === "welcome"));
  return { heard, ends, nonce, say, signed, prove, welcome };
}

describe("the hub of workers", () => {
  it("lets nobody in by the key of another, or by what the other one showed before", async () => {
    const { url, hub } = await openHub();
    const first = await connect(url);
    first.prove();
    await first.welcome();
    const replayed = await connect(url);
    expect(replayed.nonce).not.toBe(first.nonce);
    replayed.prove(first.signed());
    const forged = await connect(url);
    forged.prove(forged.signed(other));
    const empty = await connect(url);
    empty.prove("");
    await until(() => [replayed, forged, empty].every(({ ends }) => ends.length === 1));
    for (const { ends, heard } of [replayed, forged, empty])
      expect([ends, heard.length]).toEqual([["The worker did not show that the key is its own."], 1]);
    expect(hub.size).toBe(1);
  });

  it("takes nothing before the key is shown", async () => {
    const { url } = await openHub();
    const early = await connect(url);
    early.say({ kind: "subscribe", subject: "toolrack.web.roll" });
    await until(() => early.ends.length === 1);
    expect(early.ends).toEqual(["That is no message of a worker."]);
  });

  it("takes nothing more of a worker whose key left the pool", async () => {
    let pools = ["web"];
    const { url, hub } = await openHub({ poolsOf: () => pools });
    const heard: string[] = [];
    hub.connect().subscribe("toolrack.web.news", (message) => heard.push(Buffer.from(message).toString()));
    const { say, prove, ends, welcome } = await connect(url);
    prove();
    await welcome();
    say({ kind: "message", subject: "toolrack.web.news", message: Buffer.from("before") });
    await until(() => heard.length === 1);
    pools = [];
    say({ kind: "message", subject: "toolrack.web.news", message: Buffer.from("after") });
    await until(() => ends.length === 1);
    expect([heard, ends]).toEqual([["before"], ["The worker may not send to toolrack.web.news."]]);
  });

  it("ends a worker that listens on more subjects than any needs", async () => {
    const { url } = await openHub();
    const { say, prove, ends, welcome } = await connect(url);
    prove();
    await welcome();
    for (let count = 0; count < 201; count++)
      say({ kind: "subscribe", subject: `toolrack.web.worker.${print}.${count.toString(16).padStart(18, "0")}` });
    await until(() => ends.length === 1);
    expect(ends[0]).toMatch(/^The worker may not listen on toolrack\.web\.worker\..*c8\.$/);
  });
});

describe("what a worker may do on a link", () => {
  const instance = "0".repeat(18);

  it.each([
    ["toolrack.web.news", true],
    [`toolrack.web.server.${print}.${instance}`, true],
    [`toolrack.web.server.${print}.${instance}.more`, false],
    [`toolrack.web.server.${print}.*`, false],
    ["toolrack.web.server.>", false],
    ["toolrack.web.server.", false],
    ["toolrack.web.roll", false],
    [`toolrack.web.worker.${print}.${instance}`, false],
    ["toolrack.webb.news", false],
    ["__proto__", false],
    ["", false],
  ])("sends to %s: %s", (subject, may) => expect(mayPublish(subject, ["web"])).toBe(may));

  it.each([
    ["toolrack.web.roll", true],
    [`toolrack.web.worker.${print}.${instance}`, true],
    [`toolrack.web.worker.${print}.${instance}0`, false],
    [`toolrack.web.worker.${print}.*`, false],
    [`toolrack.web.worker.${printOf(other.publicKey)}.${instance}`, false],
    ["toolrack.web.news", false],
    ["toolrack.gpu.roll", false],
    [">", false],
  ])("listens on %s: %s", (subject, may) => expect(maySubscribe(subject, ["web"], print)).toBe(may));
});
