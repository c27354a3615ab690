import { safe } from "../print/safe.ts";

/** A sentence for each source that failed: the tools of such a source are missing, or are those of the last time that it worked. */
export function failedSourceLines(
  sources: readonly { readonly id: string; readonly state: string; readonly error?: string }[],
): readonly string[] {
  return sources
    .filter(({ state }) => state === "failed")
    .map(({ id, error }) => `The source ${safe(id)} failed. ${safe(error ?? "Its tools could not be read.")}`);
}
