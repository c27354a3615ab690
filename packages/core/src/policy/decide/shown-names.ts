/** How many names a message lists. */
export const maxShown = 5;

/** '"exce" (did you mean "exec"?)' */
export function showEntry(entry: string, nearest?: string): string {
  return nearest === undefined ? `"${entry}"` : `"${entry}" (did you mean "${nearest}"?)`;
}

/** '"read", "write" and 3 more'. @param shown the first of them, as they are shown */
export function showNames(shown: readonly string[], total: number): string {
  const rest = total - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
