import type { FileOperations } from "../operations/files.ts";
import type { HttpOperations } from "../operations/http.ts";
import type { SendLog } from "./send-log.ts";

/** What the tool for messages does outside of itself. */
export interface MessageOperations {
  readonly http: HttpOperations;
  /** Remembers what was begun to be sent. */
  readonly log: SendLog;
  /** The workspace that attachments come from; absent: there are none. */
  readonly files?: FileOperations;
}
