import { describe, expect, it } from "vitest";
import { newSigningSecret, signatureFault, signMessage } from "../../../src/rack/automation/hooks/signature.ts";

// The example of the specification of Standard Webhooks.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const sentAt = 1_614_265_330_000;
const body = Buffer.from('{"test": 2432232314}');
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";

const received = (more: object = {}) => {
  const headers = signMessage(id, sentAt, body, [secret]);
  return {
    id: headers["webhook-id"],
    timestamp: headers["webhook-timestamp"],
    signature: headers["webhook-signature"],
    body: body as Uint8Array,
    ...more,
  };
};

describe("signatures of webhooks", () => {
  it("signs as the specification's example does", () => {
    expect(signMessage(id, sentAt, body, [secret])).toEqual({
      "webhook-id": id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("accepts a message that one of the secrets signed within five minutes", () => {
    expect(signatureFault(received(), [newSigningSecret(), secret], sentAt + 299_000)).toBeUndefined();
    expect(signatureFault(received(), [secret], sentAt - 299_000)).toBeUndefined();
  });

  it("signs with the old and the new secret while they overlap, and either one verifies it", () => {
    const [old, fresh] = [newSigningSecret(), newSigningSecret()];
    const signature = signMessage(id, sentAt, body, [fresh, old])["webhook-signature"];
    expect(signature.split(" ")).toHaveLength(2);
    for (const known of [old, fresh]) expect(signatureFault(received({ signature }), [known], sentAt)).toBeUndefined();
    expect(signatureFault(received({ signature }), [newSigningSecret()], sentAt)).toMatch(/no secret/);
  });

  it.each([
    ["an old time", {}, sentAt + 301_000],
    ["a time in the future", {}, sentAt - 301_000],
    ["a changed body", { body: Buffer.from('{"test": 2432232315}') }, sentAt],
    ["another id", { id: "msg_other" }, sentAt],
    ["another time", { timestamp: "1614265331" }, sentAt],
    ["no signature", { signature: undefined }, sentAt],
    ["an empty signature", { signature: "" }, sentAt],
    ["a signature of another version", { signature: "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" }, sentAt],
    ["a shorter signature", { signature: "v1,g0hM9SsE" }, sentAt],
    ["a time that is no number", { timestamp: "1614265330e0" }, sentAt],
    ["an id with a line break", { id: "msg\n1" }, sentAt],
    ["no id", { id: undefined }, sentAt],
  ])("refuses %s", (_, change, now) => {
    expect(signatureFault(received(change), [secret], now)).toEqual(expect.any(String));
  });

  it("TD9: refuses an id with a point, so that no signature holds for another id, time and body", () => {
    const later = String(sentAt / 1_000 + 60);
    const signed = signMessage(`msg.${later}`, sentAt, body, [secret])["webhook-signature"];
    const moved = Buffer.concat([Buffer.from(`${sentAt / 1_000}.`), body]);
    // The same text is signed for both.
    expect(signMessage("msg", Number(later) * 1_000, moved, [secret])["webhook-signature"]).toBe(signed);
    const fault = signatureFault(received({ id: `msg.${later}`, signature: signed }), [secret], sentAt);
    expect(fault).toEqual(expect.stringMatching(/has a point/));
  });

  it("looks at ten signatures of a message, however many there are", () => {
    const { signature } = received();
    const others = (count: number): string => `v1,${Buffer.alloc(32).toString("base64")} `.repeat(count);
    expect(signatureFault(received({ signature: `${others(9)}${signature}` }), [secret], sentAt)).toBeUndefined();
    expect(signatureFault(received({ signature: `${others(10)}${signature}` }), [secret], sentAt)).toMatch(/no secret/);
  });

  it("refuses everything where no secret is set", () => {
    expect(signatureFault(received(), [], sentAt)).toMatch(/no secret/);
  });

  it("does not sign with a text that is no secret, and does not repeat it", () => {
    expect(() => signMessage(id, sentAt, body, ["hunter2"])).toThrow(/has to be whsec_/);
    expect(() => signMessage(id, sentAt, body, ["hunter2"])).not.toThrow(/hunter2/);
  });
});
