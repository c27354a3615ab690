import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { createAnswers } from "../../answers/answers.ts";
import { createPresence } from "../../presence/presence.ts";
import { insideOf } from "../../store/create-store.ts";
import { takeLease } from "./_lease.ts";
import type { OpenStore } from "./open.ts";
import { pass } from "./_samples.ts";

export function answersContract(open: OpenStore): void {
  describe("first answers", () => {
    it("are given again for the same key, by every server, and nothing runs twice", async () => {
      const store = await open();
      const servers = [createAnswers(store), createAnswers(store), createAnswers(store)];
      let runs = 0;
      const make = async (): Promise<{ run: number }> => {
        await pass(20);
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

    it("OP2: are waited for while the server that works on them has its lease, however long that takes", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const [here, there] = [await takeLease(store, "here"), await takeLease(store, "there")].map((server) =>
        createAnswers(store, { server }),
      );
      let finish: (value: string) => void = () => undefined;
      const working = here!.once({ key: "k", request: 1, make: () => new Promise<string>((resolve) => (finish = resolve)) });
      const ask = () => there!.once({ key: "k", request: 1, make: () => expect.unreachable(), waitMs: 0 });
      await expect.poll(ask).toEqual({ outcome: "running" });
      await clock.advance(86_400_000);
      expect(await ask()).toEqual({ outcome: "running" });
      finish("done");
      expect(await working).toMatchObject({ isFirst: true, value: "done" });
      expect(await ask()).toMatchObject({ isFirst: false, value: "done" });
    });

    it("OP2: whose server is gone are not made again, unless whoever asks finds out that they may be", async () => {
      const store = await open();
      const [gone, lease] = [await takeLease(store, "gone"), await takeLease(store, "here")];
      const [left, answers] = [createAnswers(store, { server: gone }), createAnswers(store, { server: lease })];
      const signals: AbortSignal[] = [];
      const finishes: ((value: string) => void)[] = [];
      const make = (signal: AbortSignal) => {
        signals.push(signal);
        return new Promise<string>((resolve) => finishes.push(resolve));
      };
      const working = ["a", "b", "c"].map((key) => left.once({ key, request: 1, work: `call-${key}`, make }));
      await expect.poll(() => signals.length).toBe(3);
      await createPresence(store).leave("gone-0");

      const unknown = { key: "a", request: 1, make: () => expect.unreachable() };
      expect(await answers.once(unknown)).toEqual({ outcome: "unknown" });
      const asked: unknown[] = [];
      const settle = async (unfinished: unknown) => (asked.push(unfinished), { value: "from the log" });
      const known = { key: "b", request: 1, make: () => expect.unreachable(), settle };
      expect(await answers.once(known)).toEqual({ outcome: "answered", isFirst: false, value: "from the log" });
      expect(asked).toEqual([{ server: "gone-0", work: "call-b" }]);
      const again = { key: "c", request: 1, make: async () => "again", settle: async () => "again" as const };
      const both = await Promise.all([answers.once(again), answers.once(again)]);
      expect(both.map((answer) => answer.outcome === "answered" && answer.isFirst).sort()).toEqual([false, true]);

      await gone.lost("gone-0");
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
      for (const finish of finishes) finish("late");
      await Promise.all(working);
      expect(await answers.once(unknown)).toEqual({ outcome: "unknown" });
      expect(await answers.once(known)).toMatchObject({ value: "from the log" });
      expect(await answers.once(again)).toMatchObject({ isFirst: false, value: "again" });
    });

    it("OP2: are made under the next lease by a server that finds its own gone", async () => {
      const store = await open();
      const lease = await takeLease(store);
      const answers = createAnswers(store, { server: lease });
      await createPresence(store).leave("one-0");
      expect(await answers.once({ key: "k", request: 1, make: async () => "made" })).toMatchObject({ isFirst: true, value: "made" });
      expect(lease.losses).toEqual(["one-0"]);
    });

    it("are held for a time by servers of older versions", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const answers = createAnswers(store, { server: await takeLease(store) });
      const ask = () => answers.once({ key: "k", request: 1, make: async () => "made", waitMs: 0 });
      await ask();
      const { engine } = insideOf(store);
      const [note] = await engine.notes(store.actor.owner, "answer", 1);
      const body = JSON.stringify({ digest: (JSON.parse(note!.body) as { digest: string }).digest, state: "running" });
      await engine.writeAudit((tx) => tx.saveNotes([{ ...note!, holder: "old", endsAt: clock.now() + 30_000, body }]));
      expect(await ask()).toEqual({ outcome: "running" });
      await clock.advance(30_001);
      expect(await ask()).toMatchObject({ isFirst: true });
    });
  });
}
