/** "fs", "Group:FS " → "group:fs". */
export function toGroupName(name: string): string {
  const folded = name.trim().toLowerCase();
  return folded.startsWith("group:") ? folded : `group:${folded}`;
}
