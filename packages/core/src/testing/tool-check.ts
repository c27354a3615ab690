/** One thing that a tool must do. */
export interface ToolCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Why it failed. */
  readonly problem?: string;
}

/** Passed where there is no problem. */
export function toCheck(name: string, problem: string | undefined): ToolCheck {
  return problem === undefined ? { name, ok: true } : { name, ok: false, problem };
}
