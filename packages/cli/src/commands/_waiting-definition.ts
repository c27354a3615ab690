import { shellWord } from "@toolrack/core/internal/shell-word";
import type { WaitingDefinition } from "@toolrack/server";
import { safe, visibleJson } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { showTime } from "../print/time.ts";

/** A waiting definition in a line of a table: what it is. */
export function definitionFact({ what, reason, verdict, effect }: WaitingDefinition): string {
  const follows = what !== "tool" && effect === "held" ? "held: no client gets it" : effects[effect];
  return `${reason === "new" ? "new" : `changed (${verdict ?? "damaged"})`}, ${follows}`;
}

/** Everything a person needs to decide about a definition. */
export function showWaitingDefinition(one: WaitingDefinition, { style }: Pick<Terminal, "style">): string {
  const { what, tool, source, name, digest, told, changes, findings, about, definition, seenAt, seenBy } = one;
  return [
    `The definition of ${what === "tool" ? "" : `the ${what.replace("-", " ")} `}${style.strong(safe(tool))} is ${definitionFact(one)}.`,
    ...told.map((sentence) => style.warn(safe(sentence))),
    "",
    `  ${style.dim("source")}  ${safe(source)}, where it is called ${safe(name)}`,
    `  ${style.dim("seen  ")}  ${showTime(seenAt)} by ${safe(seenBy)}`,
    `  ${style.dim("digest")}  ${digest}`,
    ...(about.length === 0 ? [] : [`  ${style.dim("about ")}  it imitates or steers ${about.map(safe).join(", ")}`]),
    ...(changes.length === 0 ? [] : ["", style.dim("CHANGES"), ...changes.flatMap((change) => showChange(change, style))]),
    ...(findings.length === 0 ? [] : ["", style.dim("FINDINGS"), ...findings.map(showFinding)]),
    "",
    `${style.dim("DEFINITION")}  ${visibleJson(definition)}`,
    "",
    `Approve exactly this with: toolrack approve ${shellWord(safe(tool))} --hash ${shellWord(digest)} --reason "reviewed"`,
    `Refuse it with: toolrack approve ${shellWord(safe(tool))} --reject --hash ${shellWord(digest)} --reason "why"`,
  ].join("\n");
}

const effects: Readonly<Record<WaitingDefinition["effect"], string>> = {
  held: "held: the tool cannot be called",
  "old-text": "models see the approved text",
  "old-definition": "models see the approved definition",
  reported: "served all the same (trust.enforce is false)",
};

function showChange({ path, kind, message, before, after }: WaitingDefinition["changes"][number], style: Terminal["style"]): string[] {
  return [
    `  ${style.strong(safe(path === "" ? "/" : path))}  ${kind}: ${safe(message)}`,
    ...(before === undefined ? [] : [`    ${style.bad(`- ${visibleJson(before)}`)}`]),
    ...(after === undefined ? [] : [`    ${style.good(`+ ${visibleJson(after)}`)}`]),
  ];
}

function showFinding({ severity, rule, path, message, evidence }: WaitingDefinition["findings"][number]): string {
  return `  ${severity} ${safe(rule)} at ${safe(path)}: ${safe(message)}${evidence === "" ? "" : ` (${safe(evidence)})`}`;
}
