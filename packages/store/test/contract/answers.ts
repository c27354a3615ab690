import { setTimeout as sleep } from "node:timers/promises";
import { createFakeClock } from "@toolrack/core/testing";
import { describe, expect, it } from "vitest";
import { createAnswers } from "../../src/answers/answers.ts";
import type { OpenStore } from "./contract.ts";

export function answersContract(open: OpenStore): void {
  describe("first answers", () => {
    it("are given again for the same key, by every server, and nothing runs twice", async () => {
      const store = await open();
      const servers = [createAnswers(store), createAnswers(store), createAnswers(store)];
      let runs = 0;
      const make = async (): Promise<{ run: number }> => {
        await sleep(20);
        return { run: ++runs };
      };
      const ask = (index: number) => servers[index % 3]!.once({ key: "k\0 \ud800", request: { a: 1, b: 2 }, make });
      const together = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(index)));
      const later = await servers[2]!.once({ key: "k\0 \ud800", request: { b: 2, a: 1 }, make });
      expect(runs).toBe(1);
      expect(together.filter((answer) => answer.outcome === "answered" && answer.isFirst)).toHaveLength(1);
      for (const answer of [...together, later]) expect(answer).toMatchObject({ outcome: "answered", value: { run: 1 } });
      expect(await servers[0]!.once({ key: "k\0 \ud800", request: { a: 2 }, make })).toEqual({ outcome: "different" });
      const other = createAnswers(store.as({ owner: "other", agent: "x", roles: ["emitter"] }));
      expect(await other.once({ key: "k\0 \ud800", request: {}, make })).toMatchObject({ isFirst: true, value: { run: 2 } });
    });

    it("that failed, or are not to be kept, leave the key free", async () => {
      const answers = createAnswers(await open());
      const fail = () => Promise.reject(new Error("no"));
      await expect(answers.once({ key: "k", request: 1, make: fail })).rejects.toThrow("no");
      const unkept = await answers.once({ key: "k", request: 1, make: async () => "refused", isKept: () => false });
      expect(unkept).toMatchObject({ isFirst: true });
      expect(await answers.once({ key: "k", request: 2, make: async () => "done" })).toMatchObject({ isFirst: true, value: "done" });
    });

    it("SD12: of one caller are bounded, the oldest going first, and leave those of others alone", async () => {
      const clock = createFakeClock(1_000_000);
      const answers = createAnswers(await open({ clock }), { maxAnswersPerCaller: 3 });
      const ask = async (caller: string, key: string): Promise<boolean> => {
        await clock.advance(1);
        const answered = await answers.once({ key: `${caller} ${key}`, caller, request: 1, make: async () => key });
        return answered.outcome === "answered" && answered.isFirst;
      };
      expect(await ask("other", "0")).toBe(true);
      for (const key of ["1", "2", "3", "4", "5"]) expect(await ask("greedy", key)).toBe(true);
      for (const key of ["3", "4", "5"]) expect(await ask("greedy", key)).toBe(false);
      expect(await ask("other", "0")).toBe(false);
      expect(await ask("greedy", "1")).toBe(true);
    });

    it("end after their time and when there are too many, and are not kept when they are too long", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const answers = createAnswers(store, { keepMs: 1_000, maxAnswers: 2, maxAnswerBytes: 50 });
      const make = async () => "made";
      const ask = (key: string) => answers.once({ key, request: 1, make });
      expect(await ask("a")).toMatchObject({ isFirst: true });
      await clock.advance(999);
      expect(await ask("a")).toMatchObject({ isFirst: false });
      await clock.advance(1);
      expect(await ask("a")).toMatchObject({ isFirst: true });
      for (let index = 0; index < 120; index++) {
        await clock.advance(1);
        await ask(`many-${index}`);
      }
      expect(await ask("many-119")).toMatchObject({ isFirst: false });
      expect(await ask("many-0")).toMatchObject({ isFirst: true });
      expect(await answers.once({ key: "long", request: 1, make: async () => "x".repeat(60) })).toMatchObject({ isFirst: true });
      expect(await answers.once({ key: "long", request: 1, make: async () => expect.unreachable() })).toEqual({ outcome: "not-kept" });
    });

    it("are waited for while a server works on them, and made anew when it is heard of no more", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const [dead, alive] = [createAnswers(store, { leaseMs: 60_000 }), createAnswers(store, { leaseMs: 60_000 })];
      let finish: (value: string) => void = () => undefined;
      const working = dead.once({ key: "k", request: 1, make: () => new Promise<string>((resolve) => (finish = resolve)) });
      await expect.poll(() => alive.once({ key: "k", request: 1, make: async () => "other", waitMs: 0 })).toEqual({ outcome: "running" });
      await clock.advance(60_001);
      const both = await Promise.all([0, 1].map(() => alive.once({ key: "k", request: 1, make: async () => "again" })));
      expect(both.filter((answer) => answer.outcome === "answered" && answer.isFirst)).toHaveLength(1);
      for (const answer of both) expect(answer).toMatchObject({ value: "again" });
      finish("late");
      expect(await working).toMatchObject({ value: "late" });
      expect(await alive.once({ key: "k", request: 1, make: async () => "other" })).toMatchObject({ isFirst: false, value: "again" });
    });
  });
}
