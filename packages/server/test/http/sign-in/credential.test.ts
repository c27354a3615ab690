import { createFakeClock } from "@toolrack/core/testing";
import { describe, expect, it } from "vitest";
import { Credential } from "../../../src/http/sign-in/credential.ts";
import { isAccessToken } from "../../../src/http/sign-in/token-kind.ts";

const opened = (): { reasons: Error[]; abort(reason: Error): void } => {
  const reasons: Error[] = [];
  return { reasons, abort: (reason) => void reasons.push(reason) };
};

describe("a credential", () => {
  it("that is revoked ends all that is open on its behalf, once, and whatever is opened afterwards", () => {
    const credential = new Credential({ id: "key 1", clock: createFakeClock() });
    const [kept, removed, late] = [opened(), opened(), opened()];
    const { signal } = credential;
    credential.add(kept);
    credential.remove(removed, credential.add(removed));
    expect(credential.reason).toBeUndefined();
    credential.end("The key was revoked.");
    credential.end("Again.");
    expect(kept.reasons).toEqual([expect.objectContaining({ status: 401, code: "SIGN_IN_ENDED" })]);
    expect(kept.reasons[0]!.message).toBe("The key was revoked. Everything that was open with it has been closed. Sign in again.");
    expect(credential.reason?.options.headers).toEqual({ "www-authenticate": 'Bearer realm="toolrack"' });
    expect(removed.reasons).toEqual([]);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(credential.reason);
    expect(credential.signal).toBe(signal);
    expect(credential.add(late)).toBe(-1);
    expect(late.reasons).toEqual([credential.reason]);
  });

  it("ends what is open when it expires, and has a timer only while something is open", async () => {
    const clock = createFakeClock(1_000);
    const credential = new Credential({ expiresAt: 3_000, clock });
    expect(clock.pending).toBe(0);
    const [first, second] = [opened(), opened()];
    const slots = [credential.add(first), credential.add(second)];
    expect(clock.pending).toBe(1);
    credential.remove(first, slots[0]!);
    expect(clock.pending).toBe(1);
    credential.remove(second, slots[1]!);
    expect(clock.pending).toBe(0);
    credential.add(second);
    await clock.advance(1_999);
    expect(second.reasons).toEqual([]);
    await clock.advance(1);
    expect(second.reasons).toEqual([expect.objectContaining({ message: expect.stringMatching(/^What you signed in with has expired\./) })]);
    expect(clock.pending).toBe(0);
    const late = opened();
    new Credential({ expiresAt: 3_000, clock }).add(late);
    expect(late.reasons).toHaveLength(1);
  });

  it("that ends later than a timer can wait ends at its time", async () => {
    const clock = createFakeClock();
    const longest = 2_147_483_647;
    const credential = new Credential({ expiresAt: longest + 500, clock });
    const one = opened();
    credential.add(one);
    await clock.advance(longest);
    expect(one.reasons).toEqual([]);
    await clock.advance(500);
    expect(one.reasons).toHaveLength(1);
  });

  it("that is revoked before it expires has no timer left", () => {
    const clock = createFakeClock();
    const credential = new Credential({ expiresAt: 3_000, clock });
    credential.add(opened());
    expect(clock.pending).toBe(1);
    credential.end("The key was revoked.");
    expect(clock.pending).toBe(0);
  });

  it("without an end has no timer", () => {
    const clock = createFakeClock();
    new Credential({ clock }).add(opened());
    expect(clock.pending).toBe(0);
  });
});

type Kind = readonly [header: { readonly typ?: string }, payload: Readonly<Record<string, unknown>>];

describe("an access token", () => {
  it.each<Kind>([
    [{ typ: "at+jwt" }, {}],
    [{ typ: "application/AT+JWT" }, { nonce: "n" }],
    [{ typ: "JWT" }, {}],
    [{}, {}],
    [{}, { token_use: "access", nonce: "n" }],
    [{}, { typ: "Bearer", nonce: "n" }],
    [{}, { typ: "at+jwt" }],
    ...["scope", "scp", "client_id", "cid", "permissions", "gty", "azpacr", "appid", "appidacr"].map((claim): Kind => [
      {},
      { [claim]: "x", sid: "s" },
    ]),
  ])("is recognised: %j %j", (header, payload) => {
    expect(isAccessToken(header, payload, false)).toBe(true);
  });

  it.each<Kind>([
    [{ typ: "logout+jwt" }, {}],
    [{ typ: "id+jwt" }, { scope: "x" }],
    [{}, { token_use: "id" }],
    [{}, { typ: "ID" }],
    [{}, { typ: "Refresh", scope: "x" }],
    [{ typ: "at+jwt" }, { events: {} }],
    ...["nonce", "at_hash", "c_hash", "s_hash"].map((claim): Kind => [{}, { [claim]: "x", scope: "y" }]),
    ...["azp", "sid", "auth_time", "amr", "acr", "tid"].map((claim): Kind => [{}, { [claim]: "x" }]),
  ])("is not %j %j", (header, payload) => {
    expect(isAccessToken(header, payload, false)).toBe(false);
  });

  it("must state its kind in the header where that is required", () => {
    expect(isAccessToken({ typ: "at+jwt" }, {}, true)).toBe(true);
    expect(isAccessToken({ typ: "JWT" }, { scope: "x" }, true)).toBe(false);
    expect(isAccessToken({}, { token_use: "access" }, true)).toBe(false);
  });
});
