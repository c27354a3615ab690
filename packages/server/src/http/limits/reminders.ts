import { SlotList } from "../../rack/util/slot-list.ts";

interface Reminder {
  readonly at: number;
  /** Removes itself first. */
  readonly remind: () => void;
}

const reminders = new SlotList<Reminder>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls back after `ms`, or up to a quarter of a second later, unless it is cancelled. One timer serves all, since nearly all are
 * cancelled at once.
 */
export function remindAfter(ms: number, remind: () => void): () => void {
  const forget = (): void => reminders.remove(reminder, slot);
  const reminder: Reminder = {
    at: performance.now() + ms,
    remind() {
      forget();
      remind();
    },
  };
  const slot = reminders.add(reminder);
  timer ??= setInterval(look, 250).unref();
  return forget;
}

function look(): void {
  const now = performance.now();
  for (const { at, remind } of reminders) if (at <= now) remind();
  if (reminders.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
}
