import { safe } from "../print/safe.ts";
import { showDuration } from "../print/time.ts";
import type { Command } from "./command.ts";

export const stats: Command = {
  name: "stats",
  summary: "Show for each tool the number of calls, errors, and typical durations.",
  usesTools: false,
  options: [{ flags: "--hours <n>", description: "period in hours, up to now", default: "24" }],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    const from = Date.now() - Number(options["hours"]) * 3_600_000;
    const answer = await connection.ask("GET /usage", { query: { from } });
    terminal.answer(answer, () =>
      answer.tools.length === 0
        ? "No calls in this period."
        : terminal.table(
            ["TOOL", "CALLS", "ERRORS", "P50", "P95"],
            answer.tools.map((one) => [
              safe(one.tool),
              String(one.calls),
              one.errors === 0 ? "0" : terminal.style.bad(String(one.errors)),
              showDuration(one.p50Ms),
              showDuration(one.p95Ms),
            ]),
          ),
    );
  },
};
