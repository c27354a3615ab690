/**
 * The origin of an error: its kind and locations in the code, then those of its causes. Messages are left out, since they may quote
 * anything; undefined for what is no error.
 */
export function stackOf(thrown: unknown): string | undefined {
  const parts: string[] = [];
  const seen = new Set<unknown>();
  try {
    for (let error = thrown; error instanceof Error && !seen.has(error) && seen.size < mostCauses; error = error.cause) {
      seen.add(error);
      parts.push([`${seen.size > 1 ? "caused by " : ""}${kindOf(error)}`, ...framesOf(error)].join("\n"));
    }
  } catch {
    // An error whose properties cannot be read has no more details.
  }
  return parts.length === 0 ? undefined : parts.join("\n");
}

const mostCauses = 5;
const mostFrames = 20;
const longestFrame = 300;

/** TypeError, or "Error ECONNREFUSED" where there is a code. */
function kindOf(error: Error): string {
  const { name, code } = error as { name: unknown; code?: unknown };
  const kind = typeof name === "string" && /^\w{1,80}$/.test(name) ? name : "Error";
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? `${kind} ${code}` : kind;
}

/** The lines of the stack that follow its message; where an application changed the message, the last lines that name places. */
function framesOf({ stack, message }: Error): readonly string[] {
  if (typeof stack !== "string") return [];
  const start = stack.indexOf(message);
  const lines = stack.slice(start < 0 ? 0 : start + message.length).split("\n");
  const first = lines.findLastIndex((line) => !isFrame(line)) + 1;
  return lines.slice(first, first + mostFrames).map((line) => line.slice(0, longestFrame));
}

function isFrame(line: string): boolean {
  return line.startsWith("    at ");
}
