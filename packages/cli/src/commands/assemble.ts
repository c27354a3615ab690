import type { AssemblyReport } from "@toolrack/server";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { callerOptions, callerQuery, noteUnknownCaller } from "./_caller.ts";
import type { Command } from "./command.ts";

export const assemble: Command = {
  name: "assemble",
  summary: "Show what the model of an agent receives: its tools after policy, exported for one vendor, with size and lost constraints.",
  options: [
    { flags: "--target <vendor>", description: "a target of `toolrack export`", default: "openai-chat" },
    { flags: "--trace", description: "show the seven stages in which the tools come together, with counts" },
    ...callerOptions,
  ],
  examples: [
    "toolrack assemble --agent assistant --target anthropic",
    "toolrack assemble --agent assistant --model gpt-5 --trace",
    "toolrack assemble --agent assistant --phase plan --trace",
  ],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownCaller(connection, options, terminal);
    const target = String(options["target"]);
    const exported = await connection.ask("GET /exports/{target}", { params: { target }, query: callerQuery(options) });
    const stages = options["trace"] === true ? (await connection.ask("GET /assembly", { query: callerQuery(options) })).stages : undefined;
    // Four characters are about a token in the vendors' own counts of JSON.
    const size = { characters: exported.text.length, tokens: Math.ceil(exported.text.length / 4) };
    const names = Object.values(exported.names);
    const { losses, diagnostics } = exported;
    terminal.answer({ target, tools: names, ...size, losses, diagnostics, ...(stages && { trace: stages }) }, () =>
      [
        ...(stages === undefined ? [] : [...traceLines(stages, terminal), ""]),
        `${counted(names.length, "tool")} for ${safe(target)}, about ${size.tokens} tokens:`,
        ...names.map((name) => `  ${safe(name)}`),
        ...losses.map((loss) => terminal.style.warn(`  ${safe(loss.tool)}${safe(loss.path)}: ${safe(loss.note)}`)),
        ...diagnostics.map((one) => terminal.style.bad(`  ${safe(one.tool)}: ${safe(one.message)}`)),
      ].join("\n"),
    );
    return diagnostics.some(({ severity }) => severity === "error") ? "failed" : "ok";
  },
};

/** A row for each stage, then why tools were not let in or removed. */
function traceLines(stages: AssemblyReport["stages"], { table, style }: Terminal): readonly string[] {
  const rows = stages.map(({ stage, count, added, removed, refused, wrapped }) => {
    const did = [
      added.length === 0 ? "" : `${added.length} added`,
      refused.length === 0 ? "" : `${refused.length} refused`,
      removed.length === 0 ? "" : `${removed.length} removed`,
      wrapped.length === 0 ? "" : `${wrapped.length} wrapped`,
      stage === "policy" ? `${count}/${count + removed.length} allowed` : "",
    ];
    return [stage, String(count), did.filter((part) => part !== "").join(", ")];
  });
  const notes = stages.flatMap(({ stage, removed, refused }) => [
    ...refused.map(({ name, reason }) => `  ${stage} refuses ${safe(name ?? "a tool")}: ${safe(reason)}`),
    ...removed.map(({ name, reason }) => `  ${stage} removes ${safe(name ?? "a tool")}: ${safe(reason)}`),
  ]);
  return [table(["STAGE", "TOOLS", "CHANGE"], rows), ...notes.map((note) => style.dim(note))];
}
