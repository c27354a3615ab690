/** Runs an action on request, ever more rarely while the requests do not stop: a server may send a thousand a second. */
export interface Throttle {
  ask(): void;
  end(): void;
}

export interface ThrottleOptions {
  /** @default 500 */
  readonly shortestMs?: number;
  /** @default 30_000 */
  readonly longestMs?: number;
}

/** Runs at once the first time; then after `shortestMs`, doubled each time that another request came in meanwhile. */
export function createThrottle(act: () => void, { shortestMs = 500, longestMs = 30_000 }: ThrottleOptions = {}): Throttle {
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
