import { ToolError } from "@toolrack/core";
import { toToolError } from "../../operations/http.ts";
import type { PublishOperations } from "../operations.ts";
import { readEvents } from "./_read-events.ts";
import type { Calendar } from "./calendar.ts";

export interface IcsOptions {
  /** The address of an iCalendar file, or the path of one on this machine. */
  readonly ics: string;
}

/** A calendar that somebody publishes as a file: it can be read, not changed. */
export function createIcsCalendar(name: string, { ics }: IcsOptions, operations: PublishOperations): Calendar {
  return {
    async list(range, signal) {
      const text = /^https?:\/\//i.test(ics) ? await fetchText(name, ics, operations, signal) : await readText(name, ics, operations);
      if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text))
        throw new ToolError("TOOL_FAILED", `The calendar "${name}" is not a file in the iCalendar format. Check its address.`);
      return readEvents(name, [text], range, signal);
    },
  };
}

async function fetchText(name: string, url: string, { http }: PublishOperations, signal: AbortSignal): Promise<string> {
  const response = await http.request(url, { headers: { accept: "text/calendar" }, signal }).catch((error: unknown) => {
    throw toToolError(error);
  });
  if (response.ok) return response.text();
  // Not the address: those of private calendars contain a key.
  throw new ToolError("TOOL_FAILED", `The server of the calendar "${name}" answered ${response.status}. Check its address.`, {
    retryable: response.status === 429 || response.status >= 500,
  });
}

async function readText(name: string, path: string, operations: PublishOperations): Promise<string> {
  try {
    return await operations.readFile(path);
  } catch (cause) {
    throw new ToolError("NEEDS_CONFIGURATION", `The file of the calendar "${name}" cannot be read. Check its path in the configuration.`, {
      cause,
    });
  }
}
