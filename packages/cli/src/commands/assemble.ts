import { safe } from "../print/safe.ts";
import { callerOptions, callerQuery, noteUnknownAgent } from "./_caller.ts";
import type { Command } from "./command.ts";

export const assemble: Command = {
  name: "assemble",
  summary: "Show what the model of an agent receives: its tools after policy, exported for one vendor, with size and lost constraints.",
  options: [{ flags: "--target <vendor>", description: "a target of `toolrack export`", default: "openai-chat" }, ...callerOptions],
  examples: ["toolrack assemble --agent support --target anthropic"],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownAgent(connection, options, terminal);
    const target = String(options["target"]);
    const exported = await connection.ask("GET /exports/{target}", { params: { target }, query: callerQuery(options) });
    // Four characters are about a token in the vendors' own counts of JSON.
    const size = { characters: exported.text.length, tokens: Math.ceil(exported.text.length / 4) };
    const names = Object.values(exported.names);
    terminal.answer({ target, tools: names, ...size, losses: exported.losses, diagnostics: exported.diagnostics }, () =>
      [
        `${names.length} tools for ${safe(target)}, about ${size.tokens} tokens:`,
        ...names.map((name) => `  ${safe(name)}`),
        ...exported.losses.map((loss) => terminal.style.warn(`  ${safe(loss.tool)}${safe(loss.path)}: ${safe(loss.note)}`)),
        ...exported.diagnostics.map((one) => terminal.style.bad(`  ${safe(one.tool)}: ${safe(one.message)}`)),
      ].join("\n"),
    );
    return exported.diagnostics.some(({ severity }) => severity === "error") ? "failed" : "ok";
  },
};
