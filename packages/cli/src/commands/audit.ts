import { shellWord } from "@toolrack/core/internal/shell-word";
import { CommandError } from "../errors.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import { exportFormatOf, exportList, exportOptions, rangeOf } from "./_export.ts";
import { readNumber } from "./_numbers.ts";
import type { Command } from "./command.ts";

export const auditList: Command = {
  name: "audit list",
  summary: "List audit entries, newest first: calls, reads of secrets, decisions.",
  usesTools: false,
  options: [
    { flags: "--kind <kind>", description: "only entries of this kind, such as secret-read" },
    ...exportOptions,
    { flags: "--limit <n>", description: "maximum number of lines (default: 20; all with --format)" },
    { flags: "--before <number>", description: "continue after the previous page" },
  ],
  examples: [
    "toolrack audit",
    "toolrack audit list --kind secret-read --limit 5",
    "toolrack audit list --since 30d --format ndjson > audit.ndjson",
  ],
  async run(input) {
    const { options, terminal, connect, nextPage } = input;
    const { kind } = options;
    const format = exportFormatOf(input);
    const limit = readNumber(options["limit"], "--limit", { most: 1_000 });
    const before = readNumber(options["before"], "--before");
    const query = {
      limit: limit ?? (format === undefined ? 20 : undefined),
      before,
      kinds: typeof kind === "string" ? [kind] : undefined,
      ...rangeOf(input),
    };
    if (format !== undefined) return exportList(input, "GET /audit", { ...query, format });
    const connection = await connect();
    const answer = await connection.ask("GET /audit", { query });
    terminal.answer(
      answer,
      () =>
        answer.lines.length === 0
          ? whyNoLines(kind, before, Object.keys(rangeOf(input)).length > 0)
          : terminal.table(
              ["LINE", "WHEN", "WHAT", "WHO", "ABOUT"],
              answer.lines.map((line) => [String(line.number), showTime(line.at), safe(line.kind), safe(line.who), safe(line.subject)]),
            ),
      nextPage("--before"),
    );
  },
};

function whyNoLines(kind: string | boolean | undefined, before: number | undefined, isRange: boolean): string {
  if (isRange) return "The audit has no line in this range of time that matches.";
  const ofKind = typeof kind === "string" ? ` of kind ${safe(JSON.stringify(kind))}` : "";
  if (ofKind === "" && before === undefined) return "The audit is empty.";
  return `The audit has no line${ofKind}${before === undefined ? "" : ` before ${before}`}.${ofKind === "" ? "" : " See the kinds: toolrack audit"}`;
}

export const auditVerify: Command = {
  name: "audit verify",
  summary: "Verify the hash chain of the audit, and report the first line that was changed, removed or inserted.",
  usesTools: false,
  options: [
    { flags: "--since <number:hash>", description: "the end of the chain as an earlier check printed it; the chain must contain it" },
  ],
  examples: ["toolrack audit verify"],
  async run({ options, terminal, connect }) {
    const query = readSince(options["since"]);
    const connection = await connect();
    const answer = await connection.ask("GET /audit/verification", { query });
    const missing = answer.ok ? describeMissing(answer.missing) : [];
    const { style } = terminal;
    terminal.answer(answer, () =>
      answer.ok
        ? [
            missing.length === 0
              ? `${style.good("Audit intact:")} ${counted(answer.rows, "line")}.`
              : `${style.warn("Audit intact, but not complete:")} ${counted(answer.rows, "line")}.`,
            ...missing.map((sentence) => style.warn(sentence)),
            ...(answer.begin?.anchor === undefined
              ? []
              : [
                  `It starts at line ${answer.begin.number} since older lines were removed on ${showTime(answer.begin.anchor.at)}; anchor valid (line ${answer.begin.anchor.number}).`,
                ]),
            ...((answer.log?.size ?? 0) === 0
              ? [] // an older server has no such log
              : [
                  `Log of definitions intact: ${answer.log.size === 1 ? "1 entry" : `${answer.log.size.toLocaleString("en-US")} entries`}, root ${safe(answer.log.root)}.`,
                ]),
            "Keep this outside the database, and check against it next time:",
            `  toolrack audit verify --since ${shellWord(`${answer.last.number}:${answer.last.hash}`)}`,
            ...answer.limits.map((limit) => terminal.style.dim(`Not covered by this check: ${safe(limit)}`)),
          ].join("\n")
        : `${terminal.style.bad(`Audit line ${answer.number} has been tampered with:`)} ${safe(answer.reason)}`,
    );
    return answer.ok && missing.length === 0 ? "ok" : "failed";
  },
};

function describeMissing({ kept, unrecorded }: { readonly kept: number; readonly unrecorded: number }): readonly string[] {
  return [
    ...(kept > 0
      ? [
          `${kept === 1 ? "1 call has ended, but its audit line is" : `${kept} calls have ended, but their audit lines are`} not written yet, because the store does not accept writes. Check again later.`,
        ]
      : []),
    ...(unrecorded > 0
      ? [
          `${counted(unrecorded, "call")} ran without a record, or ${unrecorded === 1 ? "its" : "their"} end was lost. See when: toolrack audit list --kind calls-unrecorded`,
        ]
      : []),
  ];
}

function readSince(text: string | boolean | undefined): { readonly sinceNumber?: string; readonly sinceHash?: string } {
  if (typeof text !== "string") return {};
  const [, sinceNumber, sinceHash] = /^(\d+):([0-9a-f]+)$/i.exec(text) ?? [];
  if (sinceNumber !== undefined && sinceHash !== undefined) return { sinceNumber, sinceHash: sinceHash.toLowerCase() };
  throw new CommandError("usage", `"${text}" is not the end of an audit chain. Write NUMBER:HASH, as toolrack audit verify prints it.`);
}
