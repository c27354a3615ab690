/** What one caller may ask of the server. */
export interface Limits {
  /** Of one body. @default 4_194_304 */
  readonly bodyBytes: number;
  /** How long a body may take to arrive. @default 15_000 */
  readonly bodyTimeoutMs: number;
  /** How deep JSON may be nested. @default 64 */
  readonly jsonDepth: number;
  /** On average, for each caller. @default 1_000 */
  readonly requestsPerSecond: number;
  /** Event streams that one caller may have open. @default 32 */
  readonly streamsPerCaller: number;
  /** Event streams of all callers. @default 5_000 */
  readonly streams: number;
}

export const defaultLimits: Limits = Object.freeze({
  bodyBytes: 4_194_304,
  bodyTimeoutMs: 15_000,
  jsonDepth: 64,
  requestsPerSecond: 1_000,
  streamsPerCaller: 32,
  streams: 5_000,
});
