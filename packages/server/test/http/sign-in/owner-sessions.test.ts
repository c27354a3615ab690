import { createFakeClock, type FakeClock } from "@toolrack/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { Credential } from "../../../src/http/sign-in/credential.ts";
import { createOwnerSessions, type OwnerSessions } from "../../../src/http/sign-in/owner-sessions.ts";

let clock: FakeClock;
let sessions: OwnerSessions;
beforeEach(() => {
  clock = createFakeClock(1_000_000);
  sessions = createOwnerSessions(clock);
});
const signIn = (): Credential => sessions.find(sessions.exchange(sessions.makeCode().code)!.token)!;

describe("sessions of the owner", () => {
  it("SD10: so many codes wait at a time: the oldest is good no more", () => {
    const { code: first } = sessions.makeCode();
    const codes = Array.from({ length: 20 }, () => sessions.makeCode().code);
    expect(sessions.exchange(first)).toBeUndefined();
    for (const code of codes) expect(sessions.exchange(code)).toBeDefined();
  });

  it("SD10: a code is good for ten minutes, a session for twelve hours, and both say so", async () => {
    const [{ code, expiresAt }, { code: late }] = [sessions.makeCode(), sessions.makeCode()];
    expect(expiresAt).toBe(1_600_000);
    await clock.advance(599_999);
    const session = sessions.exchange(code)!;
    expect(session.expiresAt).toBe(1_599_999 + 43_200_000);
    expect([code, session.token].map((text) => text.slice(0, 4))).toEqual(["trc_", "trs_"]);
    await clock.advance(1);
    expect(sessions.exchange(late)).toBeUndefined();
    await clock.advance(43_199_998);
    expect(sessions.find(session.token)).toBeDefined();
    await clock.advance(1);
    expect(sessions.find(session.token)).toBeUndefined();
    expect(sessions.find("trs_unknown")).toBeUndefined();
  });

  it("SD10: signing out ends what is open with the session, and nothing else", () => {
    const [left, stays] = [signIn(), signIn()];
    const [open, other] = [left.signal, stays.signal];
    expect(sessions.end(left)).toBe(true);
    expect(open.reason).toMatchObject({ code: "SIGN_IN_ENDED", status: 401 });
    expect(other.aborted).toBe(false);
    expect(sessions.end(left)).toBe(false);
  });

  it("SD10: what is open with a session ends when later ones push it out", () => {
    const { signal } = signIn();
    for (let count = 0; count < 99; count++) signIn();
    expect(signal.aborted).toBe(false);
    signIn();
    expect(signal.reason).toMatchObject({ code: "SIGN_IN_ENDED", status: 401 });
  });
});
