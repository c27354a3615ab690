/**
 * The CPU time of this process so far, in milliseconds: for tests that hold the cost of something below a bound. Other programs on the machine
 * do not count, so a busy one changes it little.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
