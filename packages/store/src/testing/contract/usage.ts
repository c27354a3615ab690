import { type ErrorCode, errorCodes } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { addToAudit } from "../../audit/audit.ts";
import { createCallLog, type CallLog } from "../../calls/call-log.ts";
import { insideOf } from "../../store/create-store.ts";
import type { OpenStore } from "./open.ts";

interface Made {
  readonly tool: string;
  readonly agent?: string;
  readonly durationMs: number;
  readonly waitedMs?: number;
  readonly ok?: boolean;
  readonly code?: ErrorCode;
  readonly input?: unknown;
}

async function record(calls: CallLog, made: readonly Made[]): Promise<void> {
  await Promise.all(
    made.map(({ tool, agent = "a", durationMs, waitedMs, code = "TOOL_FAILED", ok = true, input = {} }, index) => {
      const meta = { callId: `c${index}`, tool, durationMs, ...(waitedMs !== undefined && { waitedMs }) };
      const failure = { ok: false, error: "no", code, status: errorCodes[code].status, retryable: false, meta } as const;
      const result = ok ? ({ ok: true, content: "", meta } as const) : failure;
      return calls.record({ callId: meta.callId, tool, input, caller: { agent }, startedAt: 0, result });
    }),
  );
}

export function usageContract(open: OpenStore): void {
  describe("the usage of tools", () => {
    it("counts calls, errors and durations by tool and stretch of time", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const calls = createCallLog(store);
      await record(calls, [
        { tool: "slow", durationMs: 2_400 },
        { tool: "fast", durationMs: 0.25 },
        { tool: "fast", durationMs: 4, ok: false },
      ]);
      await addToAudit(store, [{ kind: "note", subject: "fast", body: 1 }]);
      await clock.advance(60_000);
      await record(
        calls,
        Array.from({ length: 20 }, (_, index) => ({ tool: "fast", durationMs: index + 1 })),
      );
      const whole = { from: 1_000_000, to: 2_000_000, bucketMs: 60_000 };
      const none = { refused: 0, invalid: 0, denied: 0 };
      expect(await calls.usage(whole)).toEqual({
        isComplete: true,
        total: {
          ...none,
          calls: 23,
          errors: 1,
          p50Ms: 10,
          p95Ms: 20,
          lastAt: 1_060_000,
          buckets: [
            { ...none, at: 1_000_000, calls: 3, errors: 1, p50Ms: 4, p95Ms: 2_400, lastAt: 1_000_000 },
            { ...none, at: 1_060_000, calls: 20, errors: 0, p50Ms: 10, p95Ms: 19, lastAt: 1_060_000 },
          ],
        },
        tools: [
          {
            ...none,
            tool: "fast",
            calls: 22,
            errors: 1,
            p50Ms: 9,
            p95Ms: 19,
            lastAt: 1_060_000,
            buckets: [
              { ...none, at: 1_000_000, calls: 2, errors: 1, p50Ms: 0.25, p95Ms: 4, lastAt: 1_000_000 },
              { ...none, at: 1_060_000, calls: 20, errors: 0, p50Ms: 10, p95Ms: 19, lastAt: 1_060_000 },
            ],
          },
          {
            ...none,
            tool: "slow",
            calls: 1,
            errors: 0,
            p50Ms: 2_400,
            p95Ms: 2_400,
            lastAt: 1_000_000,
            buckets: [{ ...none, at: 1_000_000, calls: 1, errors: 0, p50Ms: 2_400, p95Ms: 2_400, lastAt: 1_000_000 }],
          },
        ],
      });
      expect((await calls.usage({ ...whole, to: 1_060_000 })).tools.map(({ calls: count }) => count)).toEqual([2, 1]);
      expect((await calls.usage({ ...whole, from: 1_000_001 })).tools.map(({ calls: count }) => count)).toEqual([20]);
      expect((await calls.usage({ ...whole, from: 3_000_000, to: 4_000_000 })).tools).toEqual([]);
    });

    it("merges the durations of all tools, so that one slow tool does not stand for the rest", async () => {
      const calls = createCallLog(await open({ clock: createFakeClock(1_000_000) }));
      const fast = Array.from({ length: 19 }, () => ({ tool: "fast", durationMs: 20 }));
      await record(calls, [...fast, { tool: "slow", durationMs: 1_000 }]);
      const whole = { from: 1_000_000, to: 2_000_000, bucketMs: 60_000 };
      const { total } = await calls.usage(whole);
      expect(total).toMatchObject({ calls: 20, p50Ms: 20, p95Ms: 20, buckets: [{ calls: 20, p50Ms: 20, p95Ms: 20 }] });
      const some = await calls.usage({ ...whole, includes: (tool) => tool === "slow" });
      expect(some.tools.map(({ tool }) => tool)).toEqual(["slow"]);
      expect(some.total).toMatchObject({ calls: 1, p50Ms: 1_000 });
    });

    it("counts refused, invalid and denied calls apart from those that failed", async () => {
      const calls = createCallLog(await open({ clock: createFakeClock(1_000_000) }));
      const codes = [
        "TOOL_FAILED",
        "TIMEOUT",
        "TOOL_NOT_ALLOWED",
        "RATE_LIMITED",
        "APPROVAL_REQUIRED",
        "INPUT_INVALID",
        "APPROVAL_DENIED",
      ] as const;
      await record(calls, [{ tool: "t", durationMs: 5 }, ...codes.map((code) => ({ tool: "t", durationMs: 5, ok: false, code }))]);
      const outcomes = { calls: 8, errors: 2, refused: 3, invalid: 1, denied: 1 };
      const { tools, total } = await calls.usage({ from: 1_000_000, to: 2_000_000, bucketMs: 60_000 });
      expect(total).toMatchObject({ ...outcomes, buckets: [outcomes] });
      expect(tools).toMatchObject([{ ...outcomes, buckets: [outcomes] }]);
      expect(await calls.statistics()).toMatchObject([{ ...outcomes, errorRate: 0.25 }]);
    });

    it("leaves the time that calls waited for people out of the percentiles, and the log of calls has both", async () => {
      const calls = createCallLog(await open({ clock: createFakeClock(1_000_000) }));
      await record(calls, [
        { tool: "pay", durationMs: 445_947.625, waitedMs: 445_937.625 },
        { tool: "pay", durationMs: 20 },
      ]);
      const { tools } = await calls.usage({ from: 1_000_000, to: 2_000_000, bucketMs: 60_000 });
      expect(tools).toMatchObject([{ tool: "pay", calls: 2, p50Ms: 10, p95Ms: 20 }]);
      expect(await calls.show("c0")).toMatchObject({ durationMs: 445_947.625, waitedMs: 445_937.625 });
      expect(await calls.show("c1")).not.toHaveProperty("waitedMs");
    });

    it("counts one agent's calls, one tool's, and both", async () => {
      const store = await open();
      const calls = createCallLog(store);
      await record(calls, [
        { tool: "x", agent: "a", durationMs: 1 },
        { tool: "x", agent: "b", durationMs: 1 },
        { tool: "y", agent: "a", durationMs: 1 },
      ]);
      const all = { from: 0, to: Number.MAX_SAFE_INTEGER, bucketMs: Number.MAX_SAFE_INTEGER };
      const counted = async (query: object): Promise<unknown> =>
        (await calls.usage({ ...all, ...query })).tools.map(({ tool, calls: count }) => [tool, count]);
      expect(await counted({ agent: "a" })).toEqual([
        ["x", 1],
        ["y", 1],
      ]);
      expect(await counted({ tool: "x" })).toEqual([["x", 2]]);
      expect(await counted({ tool: "x", agent: "b" })).toEqual([["x", 1]]);
      expect(await counted({ agent: "\u0000" })).toEqual([]);
      expect(await createCallLog(store.as({ owner: "other", agent: "x", roles: ["curator"] })).usage(all)).toMatchObject({
        tools: [],
        total: { calls: 0, buckets: [] },
        isComplete: true,
      });
    });

    it("SD8: reads sums and no line of the log, and no line twice for the statistics", async () => {
      const store = await open();
      const calls = createCallLog(store);
      const { engine } = insideOf(store);
      await record(
        calls,
        Array.from({ length: 2_500 }, () => ({ tool: "t", durationMs: 3, input: { text: "x".repeat(200) } })),
      );
      const parts: { readonly lines: number; readonly counts: readonly unknown[] }[] = [];
      const { auditBefore, countCalls } = engine;
      Object.assign(engine, {
        auditBefore: () => expect.unreachable(),
        async countCalls(plan: Parameters<typeof countCalls>[0]) {
          const part = await countCalls.call(engine, plan);
          parts.push(part);
          return part;
        },
      });
      const all = { from: 0, to: Number.MAX_SAFE_INTEGER, bucketMs: Number.MAX_SAFE_INTEGER };
      expect((await calls.usage(all)).tools).toMatchObject([{ tool: "t", calls: 2_500, p50Ms: 3 }]);
      expect(await calls.statistics()).toMatchObject([{ tool: "t", calls: 2_500 }]);
      expect(parts.map(({ counts }) => counts.length)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(Math.max(...parts.map(({ lines: looked }) => looked))).toBe(1_000);
      parts.length = 0;
      await record(calls, [{ tool: "t", durationMs: 3 }]);
      expect(await calls.statistics()).toMatchObject([{ tool: "t", calls: 2_501 }]);
      expect(parts).toMatchObject([{ lines: 1 }]);
      Object.assign(engine, { auditBefore, countCalls });
    });
  });
}
