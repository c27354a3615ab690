import type { StoredDefinition } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import type { Style } from "../print/style.ts";

/** A stored program with line numbers, or the steps of a chain by levels; nothing for other kinds. */
export function programLines({ implementation = {}, calls, order }: StoredDefinition, style: Style): readonly string[] {
  if (calls === undefined) return [];
  const { kind, source, steps, returnStep } = implementation as Content;
  const may = calls.length === 0 ? "It calls no tools." : `May call: ${calls.map(safe).join(", ")}`;
  if (kind === "code") return ["", style.dim("PROGRAM"), ...numbered(String(source), style), may];
  const level = new Map((order?.levels ?? []).flatMap((ids, index) => ids.map((id) => [id, index + 1] as const)));
  const lines = (Array.isArray(steps) ? steps : [])
    .toSorted((a, b) => (level.get(a.id) ?? 0) - (level.get(b.id) ?? 0))
    .map((step) => {
      const after = (order?.edges ?? []).flatMap(([from, to]) => (to === step.id ? [from!] : []));
      const more = [
        ...(after.length === 0 ? [] : [`after ${after.join(", ")}`]),
        ...(step.retries === undefined ? [] : [`retries ${String(step.retries)}`]),
        ...(step.continueOnError === true ? ["goes on after an error"] : []),
        ...(step.id === returnStep ? ["is the result"] : []),
      ];
      const text = `${String(level.get(step.id) ?? "?")}  ${String(step.id)}: ${String(step.tool)}(${JSON.stringify(step.input ?? {})})`;
      return `  ${safe(text)}${more.length === 0 ? "" : style.dim(`  ${safe(more.join("; "))}`)}`;
    });
  return ["", style.dim("STEPS (those with the same number run at the same time)"), ...lines, may];
}

/** What is wrong, and what the scanner finds. */
export function reviewLines({ problem, findings }: StoredDefinition, style: Style): readonly string[] {
  return [
    ...(problem === undefined ? [] : ["", ...problem.split("\n").map((line) => style.bad(safe(line)))]),
    ...findings.flatMap(({ severity, rule, path, message, evidence }) => [
      `${severity === "danger" ? style.bad(severity) : style.warn(severity)}  ${safe(rule)}  ${safe(path)}`,
      `  ${safe(message)}${evidence === "" ? "" : ` ${safe(evidence)}`}`,
    ]),
  ];
}

interface Content {
  readonly kind?: string;
  readonly source?: unknown;
  readonly steps?: readonly {
    readonly id: string;
    readonly tool?: unknown;
    readonly input?: unknown;
    readonly retries?: number;
    readonly continueOnError?: boolean;
  }[];
  readonly returnStep?: string;
}

function numbered(source: string, style: Style): readonly string[] {
  const lines = source.replace(/\n$/, "").split("\n");
  const width = String(lines.length).length;
  return lines.map((line, index) => `  ${style.dim(String(index + 1).padStart(width))}  ${safe(line)}`);
}
