/** Runs work in the order in which it came. The work must reject its promise rather than throw. */
export interface Turns {
  /** Waits for everything before it, and runs alone. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for earlier work that runs alone; runs side by side with other work of this kind. */
  together<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface TurnLimit {
  /** Work that has waited so long without any success before it is rejected. */
  readonly waitMs: number;
  /** What it is rejected with. */
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

/** `over` settles when the next one may run: after the work, or, for work that gave up, when its turn would have come. */
type Take = <Result>(
  turn: Promise<unknown>,
  work: () => Promise<Result>,
) => { readonly result: Promise<Result>; readonly over: Promise<unknown> };

const takeAnyTime: Take = (turn, work) => {
  const result = turn.then(work);
  return { result, over: result };
};

/** A queue that moves may be long. In one that does not move, everyone gives up after the same time. */
function takeInTime({ waitMs, error }: TurnLimit): Take {
  let lastSuccess = -Infinity;
  /** How many run or wait. */
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
