/** Does something whenever it is asked to, but ever more rarely where that does not stop: a server may ask a thousand times a second. */
export interface Pace {
  ask(): void;
  end(): void;
}

export interface PaceOptions {
  /** @default 500 */
  readonly shortestMs?: number;
  /** @default 30_000 */
  readonly longestMs?: number;
}

/** The first time at once; then after `shortestMs`, and after twice as long each time that it was asked for meanwhile. */
export function createPace(act: () => void, { shortestMs = 500, longestMs = 30_000 }: PaceOptions = {}): Pace {
  let pauseMs = shortestMs;
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;

  function rest(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isAsked) pauseMs = shortestMs;
      else {
        pauseMs = Math.min(longestMs, pauseMs * 2);
        run();
      }
    }, pauseMs);
    timer.unref();
  }

  function run(): void {
    isAsked = false;
    rest();
    act();
  }

  return {
    ask() {
      if (timer === undefined) run();
      else isAsked = true;
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
