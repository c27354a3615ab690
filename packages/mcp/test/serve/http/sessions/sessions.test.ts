import { describe, expect, it, vi } from "vitest";
import { createSessions } from "../../../../src/serve/http/sessions/sessions.ts";
import { createMemorySessionStore } from "../../../../src/serve/http/sessions/memory-session-store.ts";
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

  it("hold of what a client declares only what questions depend on, in its own form", () => {
    const sessions = createSessions(options);
    const read = (capabilities: unknown) => sessions.read(sessions.open("2025-11-25", capabilities, "ada"), "ada")!.capabilities;
    expect(read({ elicitation: { form: {}, url: {}, more: {} }, sampling: { tools: {} }, roots: { listChanged: true } })).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
    });
    for (const none of [undefined, null, [], "x", { elicitation: true, constructor: {} }]) expect(read(none)).toEqual({});
  });

  it("are not read from an id that is too long, or of an earlier form", () => {
    const sessions = createSessions(options);
    const sealed = (value: unknown) => options.signer.seal("session", JSON.stringify(value));
    const later = Date.now() + 1_000;
    expect(sessions.read(sealed(["k", "2025-11-25", {}, "ada", later]), "ada")).toMatchObject({ key: "k" });
    expect(sessions.read(sealed(["k", "2025-11-25", ["elicitation"], "ada", later]), "ada")).toBeUndefined();
    expect(sessions.read(sealed(["k".repeat(4_096), "2025-11-25", {}, "ada", later]), "ada")).toBeUndefined();
    expect(sessions.read(options.signer.seal("other", JSON.stringify(["k", "2025-11-25", {}, "ada", later])), "ada")).toBeUndefined();
  });

  it("lose their state on this server, the oldest of a principal first, and give up their streams", () => {
    const sessions = createSessions({ ...options, perPrincipal: 2 });
    const begin = (principal: string) => sessions.read(sessions.open("2025-11-25", {}, principal), principal)!;
    const [first, second, third, other] = [begin("ada"), begin("ada"), begin("ada"), begin("bob")];
    let given = 0;
    sessions.live(first).streams.set("s", { giveUp: () => void given++ } as never);
    for (const one of [other, second]) sessions.live(one);
    expect([sessions.size, given]).toEqual([3, 0]);
    sessions.live(second);
    sessions.live(third);
    expect([first, second, third, other].map((one) => sessions.peek(one) !== undefined)).toEqual([false, true, true, true]);
    expect([sessions.size, given]).toEqual([3, 1]);
    expect(sessions.read(sessions.open("2025-11-25", {}, "ada"), "ada")).toBeDefined();
    sessions.close();
    expect(sessions.size).toBe(0);
  });

  it("end when what their owner signed in with ends, and when another server says so", async () => {
    const sessions = createSessions(options);
    const begin = () => sessions.read(sessions.open("2025-11-25", {}, "ada"), "ada")!;
    const [first, second] = [begin(), begin()];
    const controller = new AbortController();
    sessions.live(first, controller.signal);
    sessions.live(second);
    controller.abort();
    expect([sessions.peek(first), sessions.store.hasEnded(first.key)]).toEqual([undefined, true]);
    await sessions.store.end(second);
    expect(sessions.peek(second)).toBeUndefined();
    sessions.close();
  });

  it("lose their state at once when they end here, also before the store has told anybody", async () => {
    const store = { ...createMemorySessionStore(), end: async () => undefined };
    const sessions = createSessions({ ...options, store });
    const session = sessions.read(sessions.open("2025-11-25", {}, "ada"), "ada")!;
    const giveUp = vi.fn();
    sessions.live(session).streams.set("s", { giveUp } as never);
    const ended = sessions.end(session);
    expect([sessions.peek(session), giveUp.mock.calls.length]).toEqual([undefined, 1]);
    await ended;
    sessions.close();
  });

  it("no longer listen to the sign-in, nor to the store, once their state is gone", () => {
    const leave = vi.fn();
    const sessions = createSessions({ ...options, store: { ...createMemorySessionStore(), subscribe: () => leave } });
    const controller = new AbortController();
    const session = sessions.read(sessions.open("2025-11-25", {}, "ada"), "ada")!;
    sessions.live(session, controller.signal);
    sessions.close();
    expect(leave).toHaveBeenCalledTimes(1);
    controller.abort();
    expect(sessions.store.hasEnded(session.key)).toBe(false);
  });

  it("whose end cannot be stored end here all the same", async () => {
    const store = { ...createMemorySessionStore(), end: () => Promise.reject(new Error("down")) };
    const sessions = createSessions({ ...options, store });
    const controller = new AbortController();
    const session = sessions.read(sessions.open("2025-11-25", {}, "ada"), "ada")!;
    sessions.live(session, controller.signal);
    controller.abort();
    expect(sessions.peek(session)).toBeUndefined();
    await expect(sessions.end(session)).rejects.toThrow("down");
    sessions.close();
  });

  it("are opened once, however often they are read", () => {
    let opened = 0;
    const signer = { ...options.signer, open: (purpose: string, sealed: string) => (opened++, options.signer.open(purpose, sealed)) };
    const sessions = createSessions({ ...options, signer });
    const ids = ["ada", "bob"].map((principal) => [sessions.open("2025-11-25", {}, principal), principal] as const);
    for (let times = 0; times < 3; times++) for (const [id, principal] of ids) expect(sessions.read(id, principal)).toBeDefined();
    expect(opened).toBe(2);
  });

  it("have state in bounded number, the oldest losing it first", () => {
    const sessions = createSessions(options);
    const session = (key: string) => ({ key, version: "2025-11-25", capabilities: {}, principal: key, expiresAt: Infinity });
    for (let count = 0; count <= 10_000; count++) sessions.live(session(`s${count}`));
    expect([sessions.size, sessions.peek(session("s0")), sessions.peek(session("s1")) !== undefined]).toEqual([10_000, undefined, true]);
    sessions.close();
  });

  it("stay in use while they are used", () => {
    vi.useFakeTimers();
    try {
      const sessions = createSessions(options);
      const [used, idle] = ["ada", "bob"].map((principal) => sessions.read(sessions.open("2025-11-25", {}, principal), principal)!);
      for (const one of [used!, idle!]) sessions.live(one);
      for (let times = 0; times < 4; times++) {
        vi.advanceTimersByTime(900);
        sessions.live(used!);
      }
      expect([sessions.peek(used!) !== undefined, sessions.peek(idle!)]).toEqual([true, undefined]);
      sessions.close();
      expect(vi.getTimerCount()).toBe(0);
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
      expect([sessions.size, vi.getTimerCount()]).toEqual([0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});
