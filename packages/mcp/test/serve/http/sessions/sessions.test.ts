import { describe, expect, it, vi } from "vitest";
import { createSessions } from "../../../../src/serve/http/sessions/sessions.ts";
import { createSigner } from "../../../../src/serve/signer.ts";

const key = "k".repeat(32);
const options = { signer: createSigner(key), maxAgeMs: 60_000, idleMs: 1_000 };

describe("sessions", () => {
  it("travel in their id, and nothing is kept for them until a feature needs it", () => {
    const sessions = createSessions(options);
    const id = sessions.open("2025-11-25", { elicitation: { form: {} }, sampling: {}, roots: "no", evil: "x".repeat(10_000) }, "ada");
    expect(id).toMatch(/^[\x21-\x7e]{40,400}$/);
    expect(sessions.read(id, "ada")).toMatchObject({ version: "2025-11-25", capabilities: { elicitation: {}, sampling: {} } });
    expect(sessions.size).toBe(0);
    sessions.live(sessions.read(id, "ada")!);
    expect(sessions.size).toBe(1);
    sessions.close();
  });

  it("are read by every server with the key, and by no other", () => {
    const id = createSessions(options).open("2025-11-25", {}, "ada");
    expect(createSessions({ ...options, signer: createSigner(key) }).read(id, "ada")).toBeDefined();
    expect(createSessions({ ...options, signer: createSigner(undefined) }).read(id, "ada")).toBeUndefined();
  });

  it("end by themselves, when they are ended, and are nobody else's", () => {
    vi.useFakeTimers();
    try {
      const sessions = createSessions(options);
      const [first, second] = [sessions.open("2025-11-25", {}, "ada"), sessions.open("2025-11-25", {}, "ada")];
      expect(sessions.read(first, "eve")).toBeUndefined();
      void sessions.end(sessions.read(first, "ada")!);
      expect(sessions.read(first, "ada")).toBeUndefined();
      expect(sessions.read(second, "ada")).toBeDefined();
      vi.advanceTimersByTime(60_001);
      expect(sessions.read(second, "ada")).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("let go of what was kept when nothing happens for a while", () => {
    vi.useFakeTimers();
    try {
      const sessions = createSessions(options);
      sessions.live(sessions.read(sessions.open("2025-11-25", {}, "ada"), "ada")!);
      vi.advanceTimersByTime(3_000);
      expect(sessions.size).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
