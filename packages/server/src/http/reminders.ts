interface Reminder {
  readonly at: number;
  readonly remind: () => void;
}

const reminders = new Set<Reminder>();
let timer: NodeJS.Timeout | undefined;

/**
 * Reminds after so many milliseconds, or up to a quarter of a second later, unless it is told to forget. One timer serves all, since
 * nearly all are forgotten at once.
 */
export function remindAfter(ms: number, remind: () => void): () => void {
  const reminder = { at: performance.now() + ms, remind };
  reminders.add(reminder);
  timer ??= setInterval(look, 250).unref();
  return () => void reminders.delete(reminder);
}

function look(): void {
  const now = performance.now();
  for (const reminder of reminders) {
    if (reminder.at > now) continue;
    reminders.delete(reminder);
    reminder.remind();
  }
  if (reminders.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
}
