import type { Clock } from "@toolrack/core/node";
import type { RunUsage } from "../events.ts";
import type { Usage } from "../message.ts";
import { type Budget, defaultFailures, defaultTurns, type Spent } from "./budget.ts";

/** Counts what a run uses up. What a child uses is also counted by its parent, so one budget holds for all of them. */
export interface Meter {
  readonly spent: Spent;
  /** Of this run and its children. */
  readonly usage: RunUsage;
  /** When the time is over, by the clock; Infinity without a limit. */
  readonly deadline: number;
  /** How many calls may still be made. */
  readonly callsLeft: number;
  /** Why no further turn may follow the next one, as the beginning of a sentence; undefined: others may follow. */
  lastTurn(): string | undefined;
  /** Why nothing may begin any more, not even a last turn. */
  over(): string | undefined;
  addTurn(usage: Usage): void;
  addCall(): void;
  /** Not counted by the parent, whose call of the child succeeds or fails by itself. */
  noteOutcome(ok: boolean): void;
}

export interface MeterOptions {
  readonly budget: Budget;
  readonly clock: Clock;
  /** What was used up before the run was cut off or had to wait. */
  readonly spent?: Spent | undefined;
  readonly parent?: Meter | undefined;
}

const nothing: Spent = { turns: 0, tokens: 0, costUsd: 0, ms: 0, calls: 0, failuresInARow: 0 };

export function createMeter({ budget, clock, spent: before = nothing, parent }: MeterOptions): Meter {
  const limits = { turns: defaultTurns, failuresInARow: defaultFailures, ...budget };
  const startedAt = clock.now();
  const spent = { ...before };
  let usage: RunUsage = { inputTokens: 0, outputTokens: 0, turns: 0, calls: 0 };

  const ownDeadline = limits.ms === undefined ? Infinity : startedAt + limits.ms - before.ms;
  const deadline = Math.min(ownDeadline, parent?.deadline ?? Infinity);
  const elapsed = (): number => before.ms + clock.now() - startedAt;

  /** The first limit that is reached when `ahead` more turns are counted. */
  function reached(ahead: number): string | undefined {
    if (spent.turns + ahead >= limits.turns) return `The ${limits.turns} turns of this run are used up`;
    if (limits.tokens !== undefined && spent.tokens >= limits.tokens) return `The ${limits.tokens} tokens of this run are used up`;
    if (limits.costUsd !== undefined && spent.costUsd >= limits.costUsd) return `The ${limits.costUsd} US dollars of this run are used up`;
    if (limits.calls !== undefined && spent.calls >= limits.calls) return `The ${limits.calls} calls of this run are used up`;
    if (clock.now() >= deadline) return "The time of this run is over";
    if (spent.failuresInARow >= limits.failuresInARow) return `${spent.failuresInARow} calls in a row have failed`;
    return undefined;
  }

  return {
    get spent() {
      return { ...spent, ms: elapsed() };
    },
    get usage() {
      return usage;
    },
    deadline,
    get callsLeft() {
      return Math.max(0, Math.min((limits.calls ?? Infinity) - spent.calls, parent?.callsLeft ?? Infinity));
    },
    lastTurn: () => reached(1) ?? parent?.lastTurn(),
    over: () => reached(0) ?? parent?.over(),
    addTurn(used) {
      spent.turns += 1;
      spent.tokens += used.inputTokens + used.outputTokens;
      spent.costUsd += used.costUsd ?? 0;
      usage = { ...addUsage(usage, used), turns: usage.turns + 1, calls: usage.calls };
      parent?.addTurn(used);
    },
    addCall() {
      spent.calls += 1;
      usage = { ...usage, calls: usage.calls + 1 };
      parent?.addCall();
    },
    noteOutcome(ok) {
      spent.failuresInARow = ok ? 0 : spent.failuresInARow + 1;
    },
  };
}

export function addUsage(one: Usage, other: Usage): Usage {
  const cached = (one.cachedTokens ?? 0) + (other.cachedTokens ?? 0);
  const cost = (one.costUsd ?? 0) + (other.costUsd ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(cost > 0 && { costUsd: cost }),
  };
}
