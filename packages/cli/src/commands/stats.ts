import { safe } from "../print/safe.ts";
import { showDuration, showTime } from "../print/time.ts";
import { readNumber } from "./_numbers.ts";
import type { Command } from "./command.ts";

export const stats: Command = {
  name: "stats",
  summary:
    "Show for each tool the number of calls, errors and error rate, refused, invalid and denied calls, typical durations, and when it was last used.",
  usesTools: false,
  options: [{ flags: "--hours <n>", description: "period in hours, up to now", default: "24" }],
  examples: ["toolrack stats", "toolrack stats --hours 168"],
  async run({ options, terminal, connect }) {
    const hours = readNumber(options["hours"], "--hours", { of: "hours", least: 0, most: 100_000, isWhole: false })!;
    const connection = await connect();
    const from = Date.now() - hours * 3_600_000;
    const answer = await connection.ask("GET /usage", { query: { from } });
    terminal.answer(answer, () =>
      answer.tools.length === 0
        ? "No calls in this period."
        : terminal.table(
            ["TOOL", "CALLS", "ERRORS", "ERROR RATE", "REFUSED", "INVALID", "DENIED", "P50", "P95", "LAST USED"],
            answer.tools.map((one) => [
              safe(one.tool),
              String(one.calls),
              one.errors === 0 ? "0" : terminal.style.bad(String(one.errors)),
              showShare(one.errorRate),
              String(one.refused),
              String(one.invalid),
              String(one.denied),
              showDuration(one.p50Ms),
              showDuration(one.p95Ms),
              showTime(one.lastUsed),
            ]),
          ),
    );
  },
};

/** 0.333 → "33 %"; what is neither none nor all is never shown as such: 0.001 → "<1 %". */
function showShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return "<1 %";
  return percent === 100 && share < 1 ? ">99 %" : `${percent} %`;
}
