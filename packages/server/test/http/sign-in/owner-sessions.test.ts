import { createFakeClock } from "@toolrack/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { Credential } from "../../../src/http/sign-in/credential.ts";
import { createOwnerSessions, type OwnerSessions } from "../../../src/http/sign-in/owner-sessions.ts";

let sessions: OwnerSessions;
beforeEach(() => void (sessions = createOwnerSessions(createFakeClock(1_000_000))));
const signIn = (): Credential => sessions.find(sessions.exchange(sessions.makeCode().code)!.token)!;

describe("sessions of the owner", () => {
  it("SD10: so many codes wait at a time: the oldest is good no more", () => {
    const { code: first } = sessions.makeCode();
    const codes = Array.from({ length: 20 }, () => sessions.makeCode().code);
    expect(sessions.exchange(first)).toBeUndefined();
    for (const code of codes) expect(sessions.exchange(code)).toBeDefined();
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
