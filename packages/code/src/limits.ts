export interface ProgramLimits {
  /** Statements, calls, rounds of loops, and elements that built-in functions go over. @default 2_000_000 */
  readonly steps: number;
  /** What the program holds at once. @default 33_554_432 */
  readonly memoryBytes: number;
  /** Calls of tools. @default 50 */
  readonly calls: number;
  /** The answer and what was logged, as JSON. @default 65_536 */
  readonly outputBytes: number;
  /** Functions within functions. @default 200 */
  readonly depth: number;
}

export type LimitName = "steps" | "memory" | "calls" | "output" | "depth" | "time";

export const defaultLimits: ProgramLimits = {
  steps: 2_000_000,
  memoryBytes: 32 * 1024 * 1024,
  calls: 50,
  outputBytes: 64 * 1024,
  depth: 200,
};
