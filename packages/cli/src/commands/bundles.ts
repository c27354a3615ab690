import { safe } from "../print/safe.ts";
import { explainBundle } from "./_known-names.ts";
import { callerQuery, noteUnknownCaller } from "./_caller.ts";
import type { Command } from "./command.ts";

export const bundles: Command = {
  name: "bundles",
  summary: "List the bundles; with a name, show which of its tools are available and which are missing.",
  arguments: [{ form: "[name]", description: "name of a bundle" }],
  options: [{ flags: "--agent <id>", description: "as seen by this agent" }],
  examples: ["toolrack bundles", "toolrack bundles research --agent support"],
  async run({ arguments: [name], options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownCaller(connection, options, terminal);
    if (name === undefined) {
      const answer = await connection.ask("GET /bundles");
      const rows = answer.bundles.map((one) => [
        safe(one.name),
        String(one.required.length),
        String(one.optional.length),
        safe(one.origin),
        safe(one.description),
      ]);
      return terminal.answer(answer, () => terminal.table(["BUNDLE", "REQUIRED", "OPTIONAL", "FROM", "FOR"], rows));
    }
    const answer = await connection
      .ask("GET /bundles/{name}/resolve", { params: { name }, query: callerQuery(options) })
      .catch((error: unknown) => explainBundle(error, connection, name));
    terminal.answer(answer, () =>
      [
        `${safe(name)}: ${answer.tools.map(safe).join(", ") || "no tools"}`,
        answer.missingCount === 0
          ? terminal.style.good("No required tool is missing.")
          : terminal.style.bad(`Missing: ${missingText(answer.missing, answer.missingCount)}`),
        ...(answer.missingOptionalCount === 0
          ? []
          : [terminal.style.warn(`Optional, and not available: ${missingText(answer.missingOptional, answer.missingOptionalCount)}`)]),
      ].join("\n"),
    );
    return answer.missingCount === 0 ? "ok" : "failed";
  },
};

/** Tools that the caller may not know of are counted, not named. */
function missingText(missing: readonly string[], count: number): string {
  const others = count - missing.length;
  return [...missing.map(safe), ...(others === 0 ? [] : [`${others} that you may not use`])].join(", ");
}
