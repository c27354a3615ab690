import type { GrammarExport, ToolExport } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { counted } from "../print/counted.ts";
import { didYouMean } from "../print/did-you-mean.ts";
import { safe } from "../print/safe.ts";
import { callerOptions, callerQuery, noteUnknownCaller } from "./_caller.ts";
import type { Command } from "./command.ts";

export const exportTools: Command = {
  name: "export",
  summary: "Export the tools for a model vendor or a grammar engine, or as an OpenAPI document. Without a target: list the targets.",
  arguments: [{ form: "[target]", description: "a vendor (openai-chat, anthropic, …), gbnf, lark, structural-tag, or openapi" }],
  options: [
    ...callerOptions,
    { flags: "--bundle <name>", description: "only the tools of this bundle" },
    { flags: "--server <url>", description: "openapi: the address of the server in the document (default: server.publicUrl)" },
    { flags: "--full", description: "openapi: descriptions in full (default: 300 characters, as platforms require)" },
  ],
  examples: [
    "toolrack export anthropic > tools.json",
    "toolrack export gbnf --agent assistant > tools.gbnf",
    "toolrack export openai --bundle code_agent",
    "toolrack export openapi --agent assistant > openapi.json",
  ],
  async run({ arguments: [target], options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownCaller(connection, options, terminal);
    if (target === "openapi") {
      const { exportOpenApi } = await import("./_export-openapi.ts");
      return exportOpenApi(connection, options, terminal);
    }
    const known = await connection.ask("GET /exports");
    if (target === undefined) {
      return terminal.answer(known, () =>
        [`Vendors: ${known.vendors.join(", ")}`, `Grammars: ${known.grammars.join(", ")}`, "Documents: openapi"].join("\n"),
      );
    }
    const targets = [...known.vendors, ...known.grammars];
    if (!targets.includes(target))
      throw new CommandError(
        "usage",
        `"${safe(target)}" is not a target of exports.${didYouMean(target, targets)} The targets are ${targets.join(", ")}.`,
      );
    const query = { ...callerQuery(options), ...(typeof options["bundle"] === "string" && { bundle: options["bundle"] }) };
    if (known.grammars.includes(target)) {
      const written = await connection.ask("GET /exports/grammars/{notation}", { params: { notation: target }, query });
      report(written);
      return terminal.answer(written, () => written.grammar);
    }
    const exported = await connection.ask("GET /exports/{target}", { params: { target }, query });
    report(exported);
    terminal.answer(exported, () => exported.text);

    /** The output is often redirected to a file, so losses are reported on stderr. */
    function report({ losses }: GrammarExport | ToolExport): void {
      if (losses.length > 0)
        terminal.note(terminal.style.warn(`${counted(losses.length, "schema constraint")} could not be exported; --json lists them.`));
    }
  },
};
