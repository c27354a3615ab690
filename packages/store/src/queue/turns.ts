/** Who may write when, in the order in which they came. What is given to do must not fail at once, but by its promise. */
export interface Turns {
  /** Waits for all before it, and keeps all after it waiting. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for those before it that are alone; others like it go on beside it. */
  together<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface TurnLimit {
  /** Whoever waited for so long, while nobody before it succeeded, does not get a turn any more. */
  readonly waitMs: number;
  /** What they are told. */
  error(): Error;
}

export function createTurns(limit?: TurnLimit): Turns {
  const take = limit === undefined ? takeAnyTime : takeInTime(limit);
  let lastAlone: Promise<unknown> = Promise.resolve();
  let all: Promise<unknown> = lastAlone;
  return {
    alone(work) {
      const { result, over } = take(all, work);
      lastAlone = all = over.catch(() => undefined);
      return result;
    },
    together(work) {
      const { result, over } = take(lastAlone, work);
      const before = all;
      const afterwards = (): Promise<unknown> => before;
      all = over.then(afterwards, afterwards);
      return result;
    },
  };
}

/** `over` settles when the next may go on: with the work, or, for one that gave up, when its turn would have come. */
type Take = <Result>(
  turn: Promise<unknown>,
  work: () => Promise<Result>,
) => { readonly result: Promise<Result>; readonly over: Promise<unknown> };

const takeAnyTime: Take = (turn, work) => {
  const result = turn.then(work);
  return { result, over: result };
};

/** A queue that moves may be long; one that does not move costs everybody in it the same time. */
function takeInTime({ waitMs, error }: TurnLimit): Take {
  let lastSuccess = -Infinity;
  /** Those who work or wait. */
  let count = 0;

  function begin<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = work();
    done.then(
      () => {
        lastSuccess = performance.now();
        count -= 1;
      },
      () => (count -= 1),
    );
    return done;
  }

  return <Result>(turn: Promise<unknown>, work: () => Promise<Result>) => {
    count += 1;
    if (count === 1) return takeAnyTime(turn, () => begin(work));
    let over: Promise<unknown> = turn;
    const result = new Promise<Result>((resolve, reject) => {
      const arrivedAt = performance.now();
      let isLate = false;
      const look = (): void => {
        const left = Math.max(arrivedAt, lastSuccess) + waitMs - performance.now();
        if (left > 0) return void (timer = setTimeout(look, left));
        isLate = true;
        reject(error());
      };
      let timer = setTimeout(look, waitMs);
      over = turn.then(() => {
        if (isLate) return void (count -= 1);
        clearTimeout(timer);
        const done = begin(work);
        done.then(resolve, reject);
        return done;
      });
    });
    return { result, over };
  };
}
