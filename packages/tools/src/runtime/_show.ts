import { showLog } from "../workspace/text-log.ts";
import type { ProcessRecord } from "./_table.ts";

/** What a program wrote, as far as a call shows it. */
export interface ShownOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Whether there is more than is shown. */
  readonly truncated: boolean;
}

export function showOutput(record: ProcessRecord, maxChars: number): ShownOutput {
  const show = (stream: "stdout" | "stderr"): { readonly text: string; readonly isCut: boolean } =>
    showLog(
      record[stream],
      maxChars,
      (from) => `; process, action log, handle "${record.handle}", stream ${stream}, offset ${from} shows them`,
    );
  const [stdout, stderr] = [show("stdout"), show("stderr")];
  return { stdout: stdout.text, stderr: stderr.text, truncated: stdout.isCut || stderr.isCut };
}

/** "[exit code 1]", the output, and what went to stderr under a line of its own. */
export function toContent(head: string, { stdout, stderr }: Pick<ShownOutput, "stdout" | "stderr">): string {
  return [head, stdout, stderr === "" ? "" : `[stderr]\n${stderr}`].filter((part) => part !== "").join("\n");
}
