/**
 * Sends a signal to every process of a group, which has the number of its first process. False if no process is left. Windows has no groups:
 * there only the first process gets the signal.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, signal);
    return true;
  } catch {
    return false;
  }
}
