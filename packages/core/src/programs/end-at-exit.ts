const ends = new Set<() => void>();

function endAll(): void {
  for (const end of ends) end();
}

/**
 * Calls `end` when this process ends in order. Returns a function that takes it back. What has to end with a process that is killed is held
 * by a process guard, too.
 */
export function endAtExit(end: () => void): () => void {
  if (ends.size === 0) process.on("exit", endAll);
  ends.add(end);
  return () => {
    if (ends.delete(end) && ends.size === 0) process.off("exit", endAll);
  };
}
