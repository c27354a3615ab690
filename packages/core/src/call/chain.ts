import type { Deadlines } from "../util/on-node/deadlines.ts";
import type { ImageLimitOptions } from "./check-images.ts";
import type { AfterCallHook, BeforeCallHook } from "./hooks.ts";
import { type AddedWrapper, composeChain, type WrapperPosition } from "./added-wrappers.ts";
import { createLateAfterHooks, createLateBeforeHooks } from "./late-hooks.ts";
import { createLateWorkspaceGuard } from "./late-workspace-guard.ts";
import type { Wrapper } from "./wrapper.ts";
import { abortWrapper } from "./wrappers/abort.ts";
import { type CircuitBreaker, type CircuitBreakerOptions, createCircuitBreaker } from "./wrappers/limits/circuit-breaker.ts";
import { createConcurrency } from "./wrappers/limits/concurrency.ts";
import { createImageLimits } from "./wrappers/images.ts";
import { createLateCallBudget, createLateLoopDetection, createLateRateLimit } from "./late-limits.ts";
import type { LoopDetectionOptions } from "./loop-options.ts";
import { ownerOnly } from "./wrappers/owner-only.ts";
import { paramNames } from "./wrappers/param-names.ts";
import type { RateLimitRule } from "./wrappers/limits/rate-limit.ts";
import { createResultSize } from "./wrappers/result-size.ts";
import { createRetry, type RetryOptions } from "./wrappers/limits/retry.ts";
import { createTimeout } from "./wrappers/timeout.ts";
import type { WorkspaceGuardOptions } from "./wrappers/workspace-guard.ts";

/** Limits of every call of a registry, in addition to those of each tool. */
export interface CallLimits {
  /**
   * Time limit of a handler in milliseconds, including queueing and retries but not waits for people, unless the tool or the call sets one.
   * False: no limit. @default 300_000
   */
  readonly timeoutMs?: number | false;
  /** How many calls of one tool run at once; the others wait in order. */
  readonly concurrency?: number;
  /** The maximum size of a result, unless the tool sets one. @default 262_144 */
  readonly maxResultBytes?: number;
  readonly rate?: readonly RateLimitRule[];
  /** How many calls one run (or session) may make. */
  readonly callsPerRun?: number;
  readonly retry?: RetryOptions;
  readonly loops?: LoopDetectionOptions;
  readonly circuitBreaker?: CircuitBreakerOptions;
  readonly images?: ImageLimitOptions;
  /** How deeply tools may call tools. @default 8 */
  readonly depth?: number;
  /** How many keys all objects of an input may have together; more is refused before the input is copied, checked or recorded. @default 20_000 */
  readonly inputKeys?: number;
}

export interface ChainOptions {
  readonly limits: CallLimits;
  readonly before: readonly BeforeCallHook[];
  readonly after: readonly AfterCallHook[];
  readonly deadlines: Deadlines;
  readonly workspace?: WorkspaceGuardOptions;
  /** Hides fields and secrets of the registry. */
  readonly redaction?: Wrapper;
  readonly added?: readonly AddedWrapper[];
}

export interface Chain {
  readonly wrappers: readonly Wrapper[];
  /** Where the added ones of them stand. */
  readonly added: ReadonlyMap<Wrapper, WrapperPosition>;
  readonly breaker: CircuitBreaker | undefined;
}

/**
 * The order of everything around a handler, outermost first. Before it: names, then the owner, then limits,
 * then hooks, then paths (so that a path changed by a hook is checked). After it, in reverse: hooks see the raw
 * result, redaction and size limits come next, and counters see the final result.
 */
export function createChain(options: ChainOptions): Chain {
  const { limits, workspace, redaction } = options;
  const breaker = limits.circuitBreaker && createCircuitBreaker(limits.circuitBreaker);
  const builtIn: readonly (Wrapper | WrapperPosition | undefined)[] = [
    "outermost",
    paramNames,
    ownerOnly,
    "before-limits",
    limits.callsPerRun === undefined ? undefined : createLateCallBudget(limits.callsPerRun),
    limits.rate && createLateRateLimit(limits.rate),
    limits.loops && createLateLoopDetection(limits.loops),
    breaker,
    "before-hooks",
    createLateBeforeHooks(options.before),
    workspace && createLateWorkspaceGuard(workspace),
    createResultSize(limits.maxResultBytes === undefined ? {} : { maxBytes: limits.maxResultBytes }),
    createImageLimits(limits.images),
    redaction,
    createLateAfterHooks(options.after),
    abortWrapper,
    createTimeout({ deadlines: options.deadlines }),
    "before-queue",
    createConcurrency(limits.concurrency === undefined ? {} : { limit: limits.concurrency }),
    limits.retry && createRetry(limits.retry),
    "each-attempt",
  ];
  const { added = [] } = options;
  const wrappers = composeChain(builtIn, added);
  return { wrappers, breaker, added: new Map(added.map(({ wrapper, at }) => [wrapper, at])) };
}
