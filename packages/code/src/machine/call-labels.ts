/** Labels of the parts of a call; all 0 where labels are not tracked. */
export interface Labels {
  readonly fn: number;
  readonly self: number;
  readonly args: number[];
  /** Of the number of arguments, where a spread decided it. */
  readonly count: number;
}

export const noCallLabels: Labels = { fn: 0, self: 0, args: [], count: 0 };
