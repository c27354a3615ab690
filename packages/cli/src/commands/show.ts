import { paintState } from "../print/style.ts";
import { safe } from "../print/safe.ts";
import { callerOptions, callerQuery, noteUnknownAgent } from "./_caller.ts";
import type { Command } from "./command.ts";
import { parameterRows } from "./_parameters.ts";

export const show: Command = {
  name: "show",
  summary: "Show a tool: parameters, examples, state, and whether the caller may use it.",
  arguments: [{ form: "<tool>", description: "name of the tool" }],
  options: callerOptions,
  async run({ arguments: [name = ""], options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownAgent(connection, options, terminal);
    const tool = await connection.ask("GET /tools/{name}", { params: { name }, query: callerQuery(options) });
    terminal.answer(tool, () => {
      const { style } = terminal;
      const title = `${style.strong(safe(tool.name))}${tool.version === undefined ? "" : ` ${safe(tool.version)}`}  ${paintState(style, tool.state)}`;
      const rows = parameterRows(tool.inputSchema);
      const examples = (tool.metadata?.examples ?? []).map(
        ({ description, input }) =>
          `  ${style.dim(safe(description ?? ""))}\n  toolrack call ${safe(tool.name)} '${safe(JSON.stringify(input))}'`,
      );
      return [
        title,
        safe(tool.description),
        ...(tool.reason === undefined ? [] : [style.warn(safe(tool.reason))]),
        style.dim(
          [tool.category, `from ${tool.source}`, ...(tool.tags ?? [])]
            .filter((part) => part !== undefined)
            .map(safe)
            .join(" · "),
        ),
        "",
        rows.length === 0 ? "No parameters." : terminal.table(["PARAMETER", "TYPE", "", "DESCRIPTION"], rows),
        ...(examples.length === 0 ? [] : ["", style.dim("EXAMPLES"), ...examples]),
        ...(tool.wrappers === undefined || tool.wrappers.length === 0
          ? []
          : ["", `${style.dim("WRAPPERS")} ${tool.wrappers.map(safe).join(" › ")}`]),
        "",
        ...tool.explanation.sentences.map(safe),
      ].join("\n");
    });
  },
};
