import { stripVTControlCharacters } from "node:util";

/** Text that somebody else wrote (tools, records, servers), without what would steer the terminal. Line breaks stay. */
export function safe(text: unknown): string {
  // oxlint-disable-next-line no-control-regex -- these are what has to go
  return stripVTControlCharacters(String(text ?? "")).replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    "",
  );
}
