import type { HttpOperations } from "../operations/http.ts";

/** What the tools for feeds, calendars and posts do outside of themselves. */
export interface PublishOperations {
  readonly http: HttpOperations;
  /** The text of a calendar file that the options name. */
  readFile(path: string): Promise<string>;
}
