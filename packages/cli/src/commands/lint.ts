import { safe } from "../print/safe.ts";
import type { Command } from "./command.ts";

export const lint: Command = {
  name: "lint",
  summary: "Check definitions and examples, also against vendor limits. Each finding comes with a fix.",
  arguments: [{ form: "[tool]", description: "check only this tool" }],
  async run({ arguments: [tool], terminal, connect }) {
    const connection = await connect();
    const answer = await connection.ask("GET /lint", { query: { tool } });
    const { style } = terminal;
    terminal.answer(answer, () => {
      if (answer.findings.length === 0) return style.good(`${answer.tools} tools, no findings.`);
      const lines = answer.findings.map((one) => {
        const severity = one.severity === "error" ? style.bad(one.severity) : style.warn(one.severity);
        return `${safe(one.tool ?? "sources")}  ${severity}  ${safe(one.message)}${one.fix === undefined ? "" : `\n  ${style.dim(safe(one.fix))}`}`;
      });
      return [...lines, style.dim(`${answer.tools} tools, ${answer.findings.length} findings`)].join("\n");
    });
    return answer.findings.some(({ severity }) => severity === "error") ? "failed" : "ok";
  },
};
