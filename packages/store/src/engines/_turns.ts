/** Who may write when, in the order in which they came. What is given to do must not fail at once, but by its promise. */
export interface Turns {
  /** Waits for all before it, and keeps all after it waiting. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for those before it that are alone; others like it go on beside it. */
  together<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  let lastAlone: Promise<unknown> = Promise.resolve();
  let all: Promise<unknown> = lastAlone;
  return {
    alone(work) {
      const done = all.then(work);
      lastAlone = all = done.catch(() => undefined);
      return done;
    },
    together(work) {
      const done = lastAlone.then(work);
      const before = all;
      const afterwards = (): Promise<unknown> => before;
      all = done.then(afterwards, afterwards);
      return done;
    },
  };
}
