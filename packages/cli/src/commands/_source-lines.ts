import { counted } from "../print/counted.ts";
import { shellWord } from "@toolrack/core/internal/shell-word";
import type { SourceInfo } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import type { Style } from "../print/style.ts";

/** What a source starts, reaches or supplies, a line for each fact: all that a person has to look at before approving it. */
export function sourceLines({ id, config = {}, identity, files = [], state, supplies }: SourceInfo): readonly string[] {
  const facts = [
    ...shownKeys.flatMap((key) => (config[key] === undefined ? [] : [`  ${key}: ${safe(JSON.stringify(config[key]))}`])),
    ...(files.length === 0 ? [] : [`  files: ${files.map(safe).join(", ")}`]),
    ...(supplies === undefined ? [] : [`  supplies ${suppliedText(supplies)}`]),
  ];
  if (facts.length === 0) return [];
  const waits =
    state === "waiting-for-approval" && identity !== undefined
      ? [`  approve with: toolrack sources approve ${shellWord(safe(id))} ${shellWord(identity)}`]
      : [];
  return [`${safe(id)}:`, ...facts, ...(identity === undefined ? [] : [`  digest: ${identity}`]), ...waits];
}

/** What came of a source that was started, and the next step where nothing did. */
export function startedLines({ id, state, tools, problems, error, held = [] }: SourceInfo, style: Style): readonly string[] {
  const shown = safe(id);
  const left = shortened(problems.map((problem) => style.warn(`  ${safe(problem)}`)));
  if (state === "failed") {
    const next = `It is tried again by itself; after you have fixed the cause, at once with: toolrack sources refresh ${shellWord(shown)}. Remove it with: toolrack sources remove ${shellWord(shown)}`;
    const hint = /add it to \S*allowHosts/.test(error ?? "") ? [`Add it again with --allow-host and the host, if it is meant.`] : [next];
    return [style.bad(`${shown} failed: ${safe(error ?? "unknown reason")}`), ...hint, ...left];
  }
  if (state === "starting")
    return [style.warn(`${shown} has not answered yet, and is tried further. Check its state with: toolrack sources list`)];
  if (state === "waiting-for-approval")
    return [
      style.warn(`${shown} waits for approval. Look at what it starts, and approve it, with: toolrack sources approve ${shellWord(shown)}`),
    ];
  return [`${shown} is ${state}, with ${namesOf(tools)}.`, ...waitingLines(held, problems, style), ...left];
}

/** What of a source waits for a person, and the command that lists it. */
function waitingLines(held: readonly string[], problems: readonly string[], style: Style): readonly string[] {
  const asking = problems.filter((problem) => problem.includes("toolrack grants add")).length;
  const facts = [
    ...(held.length === 0 ? [] : [`${waits(held.length)} for a person to look at the definition: ${listed(held)}.`]),
    ...(asking === 0 ? [] : [`${waits(asking)} for a grant.`]),
  ];
  return facts.length === 0 ? [] : [style.warn(`${facts.join(" ")} See what waits: toolrack approvals`)];
}

function waits(count: number): string {
  return `${counted(count, "tool")} ${count === 1 ? "waits" : "wait"}`;
}

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length > maxNames ? [...lines.slice(0, maxNames), `  … and ${lines.length - maxNames} more: toolrack sources list`] : lines;
}

/** "2 tools: docs__read, docs__find"; of many only the first. */
function namesOf(tools: readonly string[]): string {
  const count = counted(tools.length, "tool");
  if (tools.length === 0) return count;
  return `${count}: ${listed(tools)}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : "";
  return `${names.slice(0, maxNames).map(safe).join(", ")}${more}`;
}

const maxNames = 10;

/** "pack tickets; vendors acme, other" */
export function suppliedText(supplies: NonNullable<SourceInfo["supplies"]>): string {
  const part = (one: string, many: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${names.length === 1 ? one : many} ${names.map(safe).join(", ")}`];
  return [
    ...part("kind of stored tool", "kinds of stored tools", supplies.kinds),
    ...part("pack", "packs", supplies.packs),
    ...part("type of source", "types of sources", supplies.sources),
    ...part("vendor", "vendors", supplies.vendors),
    ...part("wrapper", "wrappers", supplies.wrappers),
    ...part("lint rule", "lint rules", supplies.lintRules),
  ].join("; ");
}

const shownKeys = [
  "openapi",
  "type",
  "options",
  "command",
  "args",
  "cwd",
  "env",
  "loads",
  "url",
  "headers",
  "allowHosts",
  "allowUnpinned",
  "maxTools",
  "trust",
  "required",
] as const;
