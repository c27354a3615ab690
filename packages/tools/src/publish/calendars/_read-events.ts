import { ToolError } from "@toolrack/core";
import { runInThread } from "../../operations/in-thread.ts";
import type { CalendarEvent, TimeRange } from "./calendar.ts";
import { readEventsProgram } from "./_events-program.ts";

/** The events of iCalendar texts; `name` is how messages name the calendar. */
export async function readEvents(
  name: string,
  texts: readonly string[],
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<readonly CalendarEvent[]> {
  const job = { texts, from: from.getTime(), to: to.getTime(), limit: mostEvents };
  const end = await runInThread(readEventsProgram, job, { signal, maxRunMs: 30_000 });
  if ("answer" in end) return end.answer;
  throw new ToolError(
    "TOOL_FAILED",
    `The calendar "${name}" could not be read: it is not in the iCalendar format, or too large. Check its address, or ask for less time.`,
  );
}

const mostEvents = 2_500;
