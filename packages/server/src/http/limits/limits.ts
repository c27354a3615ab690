import type { ServerLimits } from "../../config/config.ts";

/** Limits for each caller. A refusal is a 429 with Retry-After, unless stated otherwise. */
export interface Limits extends ServerLimits {
  /** How long a body may take to arrive; longer is a 408. @default 15_000 */
  readonly bodyTimeoutMs: number;
  /** How deep JSON may be nested; deeper is a 400. @default 64 */
  readonly jsonDepth: number;
}

export const defaultLimits: Limits = Object.freeze({
  bodyBytes: 4_194_304,
  bodyTimeoutMs: 15_000,
  jsonDepth: 64,
  jsonValues: 100_000,
  answerBytes: 16_777_216,
  requestsPerSecond: 1_000,
  requestsPerCaller: 1_000,
  requests: 20_000,
  heavyPerCaller: 16,
  heavy: 256,
  streamsPerCaller: 32,
  streams: 5_000,
  sessionsPerCaller: 100,
  tasksPerCaller: 100,
  answersPerCaller: 500,
});
