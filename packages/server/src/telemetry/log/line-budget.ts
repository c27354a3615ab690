/** Limits the log lines per second, so that nobody can fill the disk. */
export interface LineBudget {
  /** Counts one line; false if the limit of this second is reached. */
  take(rank: number): boolean;
  /** Whether a line fits; otherwise it counts as dropped. */
  hasRoom(rank: number): boolean;
  /** Lines dropped in this second. */
  readonly dropped: number;
}

/** From this rank on (warnings) lines have a limit of their own: ordinary lines must not displace them. */
const reserved = 2;

export function createLineBudget(linesPerSecond: number, onDropped: (lines: number) => void): LineBudget {
  let second = 0;
  let dropped = 0;
  let left = [linesPerSecond, linesPerSecond];

  function begin(): void {
    const now = Math.floor(performance.now() / 1_000);
    if (now === second) return;
    second = now;
    left = [linesPerSecond, linesPerSecond];
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  }

  function hasRoom(rank: number): boolean {
    begin();
    if (left[rank < reserved ? 0 : 1]! > 0) return true;
    dropped += 1;
    return false;
  }

  return {
    hasRoom,
    take(rank) {
      if (!hasRoom(rank)) return false;
      left[rank < reserved ? 0 : 1]! -= 1;
      return true;
    },
    get dropped() {
      return dropped;
    },
  };
}
