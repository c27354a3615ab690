import type { CallLog } from "@toolrack/store";

/** What the calls that a call made told it, and the calls that those made: their tools' labels, found in the log. */
export async function labelsFromLog(
  callId: string,
  calls: Pick<CallLog, "show" | "list">,
  labelsOf: (tool: string) => readonly string[],
): Promise<readonly string[]> {
  const stored = await calls.show(callId);
  if (stored === undefined) return everything;
  const family = new Set([callId]);
  const labels = new Set<string>();
  // A call ends before the one that made it: going back from its end, each is met after the call that made it.
  let before = stored.number;
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await calls.list({ before, from: stored.startedAt, limit: pageSize });
    for (const call of page) {
      if (call.parentCallId === undefined || !family.has(call.parentCallId)) continue;
      family.add(call.callId);
      for (const label of labelsOf(call.tool)) labels.add(label);
    }
    if (page.length < pageSize) return [...labels].toSorted();
    before = page.at(-1)!.number;
  }
  return everything;
}

/** For a call of which nobody can tell any more what it read. */
export const everything: readonly string[] = ["private", "secret", "untrusted"];
const pageSize = 1_000;
/** A call that took so long that more than this ended meanwhile. */
const mostPages = 20;
