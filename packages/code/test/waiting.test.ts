import { describe, expect, test } from "vitest";
import { resumeProgram, runProgram, startProgram, type ProgramState } from "../src/index.ts";

const source = "const a = await tools.ask({ n: 1 }); const b = await tools.ask({ n: a }); return [a, b];";

function waiting(status: ReturnType<typeof startProgram>): Extract<typeof status, { status: "waiting" }> {
  if (status.status !== "waiting") throw new Error(JSON.stringify(status));
  return status;
}

describe("a stored program", () => {
  test("goes on with the answers of its calls", () => {
    const first = waiting(startProgram(source, { tools: ["ask"] }));
    expect(first.calls).toEqual([{ callId: "0", tool: "ask", input: { n: 1 }, labels: [], inputLabels: {}, context: [] }]);
    const second = waiting(resumeProgram(first.state, [{ callId: "0", result: 5 }]));
    expect(second.calls).toMatchObject([{ callId: "1", input: { n: 5 } }]);
    expect(resumeProgram(second.state, [{ callId: "1", result: 6 }])).toMatchObject({ status: "done", ok: true, value: [5, 6] });
  });

  test("is not changed by going on, so that it can be tried again", () => {
    const { state } = waiting(
      startProgram("const o = { list: [1] }; o.list.push(await tools.ask({})); return o;", { tools: ["ask"], labels: {} }),
    );
    const before = JSON.stringify(state);
    for (let round = 0; round < 3; round++) {
      expect(resumeProgram(state, [{ callId: "0", result: 2 }], { labels: {} })).toMatchObject({ status: "done", value: { list: [1, 2] } });
      expect(JSON.stringify(state)).toBe(before);
    }
  });

  test("applies each answer once, and none to a call that is not open", () => {
    const first = waiting(startProgram(source, { tools: ["ask"] }));
    const second = waiting(
      resumeProgram(first.state, [
        { callId: "0", result: 5 },
        { callId: "0", result: 9 },
        { callId: "1", result: 9 },
        { callId: "x", result: 9 },
      ]),
    );
    expect(second.calls).toMatchObject([{ callId: "1", input: { n: 5 } }]);
  });

  test("can catch an answer that is an error", () => {
    const { state } = waiting(
      startProgram("try { return await tools.ask({}); } catch (e) { return [e.code, e.message]; }", { tools: ["ask"] }),
    );
    const error = { message: "Nobody knows whether it ran.", code: "OUTCOME_UNKNOWN" };
    expect(resumeProgram(state, [{ callId: "0", error }])).toMatchObject({
      status: "done",
      value: ["OUTCOME_UNKNOWN", "Nobody knows whether it ran."],
    });
  });

  test("of another version or with another source is refused", () => {
    const { state } = waiting(startProgram(source, { tools: ["ask"] }));
    expect(() => resumeProgram({ ...state, version: 99 }, [])).toThrow(/form 99/);
    expect(() => resumeProgram({ ...state, source: `${source} ` } as ProgramState, [])).toThrow(/does not belong/);
  });

  test("keeps shared and cyclic objects, and values that JSON lacks", () => {
    const kept = `
      const a = { n: [-0, NaN, Infinity, undefined] }; a.self = a; const b = [a, a]; const m = new Map([[a, 1]]); const s = new Set([b]);
      const d = new Date(5); const re = /x(y)/g; re.test("xyxy"); const it = [1, 2, 3].values(); it.next();
      class P { v = 1; get2() { return this.v; } } class Q extends P { get2() { return super.get2() + 1; } } const q = new Q();
      let res; const p = new Promise((r) => { res = r; }); const f = () => a; const err = new TypeError("e");
      await tools.ask({});
      res(9);
      return [a.self === a, b[0] === b[1], m.get(a), s.has(b), d.getTime(), re.lastIndex, it.next().value, q.get2(), q instanceof P, await p, f() === a,
        Object.is(a.n[0], -0), Number.isNaN(a.n[1]), a.n[2] === Infinity, a.n[3] === undefined, err instanceof TypeError, err.message];
    `;
    const { state } = waiting(startProgram(kept, { tools: ["ask"] }));
    const again = JSON.parse(JSON.stringify(state)) as ProgramState;
    expect(resumeProgram(again, [{ callId: "0", result: null }])).toMatchObject({
      status: "done",
      value: [true, true, 1, true, 5, 2, 2, 2, true, 9, true, true, true, true, true, true, "e"],
    });
  });
});

describe("calls", () => {
  test("start in the order of the program, at most eight at once", async () => {
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const tools = {
      work: async ({ n }: { n: number }) => {
        started.push(n);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        return n;
      },
    };
    const result = await runProgram("return await Promise.all(Array.from({ length: 20 }, (_, n) => tools.work({ n })));", { tools });
    expect(result).toMatchObject({ ok: true, value: Array.from({ length: 20 }, (_, n) => n) });
    expect(started).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(most).toBe(8);
  });

  test("that nobody awaits are waited for, and a failure nobody saw is a warning", async () => {
    let done = false;
    const tools = {
      slow: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        done = true;
        throw new Error("too late");
      },
    };
    const result = await runProgram("tools.slow({}); return 1;", { tools });
    expect(done).toBe(true);
    expect(result).toMatchObject({ ok: true, value: 1, calls: [{ ok: false }], warnings: [expect.stringContaining("too late")] });
  });

  test("can be refused before they are made", async () => {
    const asked: unknown[] = [];
    const onCall = (call: { input: unknown }): { refuse: string } => {
      asked.push(call.input);
      return { refuse: "Not this one." };
    };
    let made = false;
    const tools = { send: async () => void (made = true) };
    expect(await runProgram("await tools.send({ to: 1 });", { tools, onCall })).toMatchObject({
      ok: false,
      error: { kind: "refused", message: expect.stringContaining("Not this one.") as string },
    });
    expect(await runProgram("try { await tools.send({}); } catch (e) { return e.code; }", { tools, onCall })).toMatchObject({
      ok: true,
      value: "REFUSED",
    });
    expect([asked[0], made]).toEqual([{ to: 1 }, false]);
  });

  test("an await that can never end is an error, not a program that hangs", async () => {
    expect(await runProgram("await new Promise(() => {});", { tools: {} })).toMatchObject({
      ok: false,
      error: { kind: "thrown", message: expect.stringContaining("never") as string },
    });
  });

  test("time and chance come from the host", async () => {
    const run = (): Promise<unknown> =>
      runProgram("return [Date.now(), new Date().toISOString(), Math.random()];", { tools: {}, now: () => 1000, seed: 7 });
    expect(await run()).toEqual(await run());
    expect(await run()).toMatchObject({ value: [1000, "1970-01-01T00:00:01.000Z", expect.any(Number)] });
  });
});
