import type { ToolDefinition } from "@toolrack/core";
import type { Finding } from "@toolrack/core/lint";
import { CommandError, type ExitReason } from "../errors.ts";
import { outputFindings, runFailed, skipped } from "./_example-findings.ts";

/** Checks the tools of a file in this process; no server and no configuration is asked. */
export async function lintFile(
  file: string,
  folder: string,
  { drift, examples }: { readonly drift: boolean; readonly examples: boolean },
): Promise<{ readonly file: string; readonly tools: number; readonly findings: readonly Finding[] }> {
  if (/\.jsonc?$/i.test(file)) {
    if (examples) throw new CommandError("usage", `--run-examples runs handlers, and ${file} has none. Leave it out.`);
    return (await import("./_lint-json.ts")).lintJson(file, folder);
  }
  const [{ lintTools }, { readToolFile, loadDriftRule }] = await Promise.all([
    import("@toolrack/core/lint"),
    import("@toolrack/server/local"),
  ]);
  const shown = file.replace(/^\.[/\\]/, "");
  const { tools, lintRules, refusal } = await readToolFile(shown, folder).catch((error: unknown) => {
    const { code, message } = error as Error & { readonly code?: string };
    throw code !== undefined && reasons.has(code) ? new CommandError(reasons.get(code)!, message) : error;
  });
  if (refusal !== undefined) {
    const fix = "Correct the definition. The other tools of the file are checked when it can be loaded.";
    return { file: shown, tools: 0, findings: [{ rule: "definition", severity: "error", path: "", message: refusal, fix }] };
  }
  const findings = lintTools(
    tools.map(({ shape }) => shape),
    { rules: [...(drift ? [await loadDriftRule()] : []), ...lintRules] },
  );
  const known = new Set(findings.map(keyOf));
  const ofRuns: Finding[] = [];
  // One after the other: they may share what they change.
  if (examples) for (const [index, { tool }] of tools.entries()) if (tool !== undefined) ofRuns.push(...(await runTool(tool, index)));
  return { file: shown, tools: tools.length, findings: [...findings, ...ofRuns.filter((finding) => !known.has(keyOf(finding)))] };
}

const reasons: ReadonlyMap<string, ExitReason> = new Map([
  ["PLUGIN_INVALID", "failed"],
  ["CONFIG_INVALID", "usage"],
  ["TOOL_NOT_FOUND", "notFound"],
]);

/** A handler that was read and then run may show the same drift twice. */
function keyOf({ rule, path, message }: Finding): string {
  return JSON.stringify([rule, path, message]);
}

async function runTool(tool: ToolDefinition, index: number): Promise<readonly Finding[]> {
  const { compareOutput, findDrift } = await import("@toolrack/core/testing");
  const at = { tool: tool.name, path: `/${index}` };
  if (tool.metadata?.annotations?.destructive === true) return skipped(at, "it is destructive", tool.metadata.examples?.length);
  const { findings, runs } = await findDrift(tool, { timeoutMs });
  return [
    ...findings.flatMap(({ kind, path, message }): Finding[] => {
      if (kind !== "undeclared") return [];
      const fact = `The handler reads "${path}", which the input schema does not declare.`;
      const fix = message.slice(message.indexOf(". ") + 2);
      return [{ rule: "drift", severity: "error", tool: tool.name, path: `${at.path}/handler`, message: fact, fix }];
    }),
    ...runs.flatMap(({ example, result }, number) => {
      if (result === undefined) return runFailed(at, number, example, `it did not end within ${timeoutMs / 1_000} seconds.`);
      if (!result.ok) return runFailed(at, number, example, `it answered ${result.code}: ${result.error}`);
      return outputFindings(at, number, example, compareOutput(tool, example, result));
    }),
  ];
}

const timeoutMs = 30_000;
