/** What one caller may ask of the server. A refusal is a 429 with Retry-After, unless something else is said. */
export interface Limits {
  /** Of one body; more is a 413. @default 4_194_304 */
  readonly bodyBytes: number;
  /** How long a body may take to arrive; longer is a 408. @default 15_000 */
  readonly bodyTimeoutMs: number;
  /** How deep JSON may be nested; deeper is a 400. @default 64 */
  readonly jsonDepth: number;
  /** How many values the JSON of a body may have; more is a 400. @default 100_000 */
  readonly jsonValues: number;
  /** Of one answer; more is a 400 that says to ask for less. @default 16_777_216 */
  readonly answerBytes: number;
  /** On average, for each caller. @default 1_000 */
  readonly requestsPerSecond: number;
  /** Requests of one caller that are worked on at the same time, calls of tools among them. @default 1_000 */
  readonly requestsPerCaller: number;
  /** And of all callers. @default 20_000 */
  readonly requests: number;
  /** Requests of one caller whose work takes long (exports, usage, checks, bodies above 64 kB) that may wait. @default 16 */
  readonly heavyPerCaller: number;
  /** And of all callers. @default 256 */
  readonly heavy: number;
  /** Event streams that one caller may have open. @default 32 */
  readonly streamsPerCaller: number;
  /** Event streams of all callers. @default 5_000 */
  readonly streams: number;
  /** MCP sessions of one caller that something is kept for; the oldest goes first. @default 100 */
  readonly sessionsPerCaller: number;
  /** MCP tasks of one caller that are kept; finished ones make room, and while none is finished a call does not become a task. @default 100 */
  readonly tasksPerCaller: number;
  /** Answers of one caller that are kept for its Idempotency-Keys; the oldest goes first. @default 500 */
  readonly answersPerCaller: number;
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
