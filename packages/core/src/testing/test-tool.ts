import { AssertionError } from "#assert";
import { validatorFor } from "@toolrack/json-schema";
import { lintTool } from "../lint/lint.ts";
import { describeThrown } from "../tool/result.ts";
import { type AnyTool, readTool } from "../tool/shapes.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { checkExamples, runExamples } from "./_example-checks.ts";
import { checkFaults, checkWrongInputs } from "./_fault-checks.ts";
import type { TrialOptions } from "./trial.ts";
import { toCheck, type ToolCheck } from "./tool-check.ts";

/** What was found about one tool. */
export interface ToolReport {
  readonly tool: string;
  /** True when every check is. */
  readonly ok: boolean;
  readonly checks: readonly ToolCheck[];
}

export interface TestToolOptions<Services = unknown> extends TrialOptions<Services> {
  /** Whether the handler is run with the tool's examples. Switch it off where they would change the world. @default true */
  readonly runExamples?: boolean;
  /** Whether a run must give the very output that its example shows. Switch it off where the output differs each time. @default true */
  readonly compareOutputs?: boolean;
}

/**
 * Tries a tool: definition and lint, examples against the schemas, examples run, wrong input, broken services, cancelling.
 * The first example runs four times, every other one once. Works with any test runner, and with none.
 */
export async function testTool<Services = undefined>(
  tool: AnyTool<NoInfer<Services>>,
  options: TestToolOptions<Services> = {},
): Promise<ToolReport> {
  const checks: ToolCheck[] = [];
  const name = String(tool?.name);
  const report = (): ToolReport => ({ tool: name, ok: checks.every((check) => check.ok), checks });

  let defined: ToolDefinition | undefined;
  checks.push(
    attempt("the definition is accepted", () => {
      defined = readTool(tool);
    }),
  );
  if (defined === undefined) return report();

  const { inputSchema, outputSchema = {} } = defined;
  const applied = attempt("the schemas can be applied", () => {
    for (const schema of [inputSchema, outputSchema]) validatorFor(schema).check({});
  });
  checks.push(applied);
  checks.push(toCheck("lint finds no errors", lintErrors(defined)));
  if (!applied.ok) return report();

  checks.push(...(await checkExamples(defined)));
  checks.push(await checkWrongInputs(defined));
  const { runExamples: mayRun, compareOutputs = true, ...trial } = options;
  if (mayRun === false) return report();
  checks.push(...(await runExamples(defined, trial, compareOutputs)));
  checks.push(...(await checkFaults(defined, trial)));
  return report();
}

/** Throws one error that lists every failed check. */
export async function assertTool<Services = undefined>(
  tool: AnyTool<NoInfer<Services>>,
  options: TestToolOptions<Services> = {},
): Promise<void> {
  const { tool: name, checks } = await testTool(tool, options);
  const failed = checks.filter((check) => !check.ok);
  if (failed.length === 0) return;
  const lines = failed.map((check) => `- ${check.name}: ${check.problem}`);
  throw new AssertionError({ message: `Tool "${name}" fails ${failed.length} of ${checks.length} checks:\n${lines.join("\n")}` });
}

function attempt(name: string, action: () => void): ToolCheck {
  try {
    action();
    return toCheck(name, undefined);
  } catch (error) {
    return toCheck(name, describeThrown(error));
  }
}

/** Examples have checks of their own. */
function lintErrors(tool: ToolDefinition): string | undefined {
  const errors = lintTool(tool, { severities: { "example-mismatch": "off" } }).filter((finding) => finding.severity === "error");
  return errors.length === 0
    ? undefined
    : errors.map(({ rule, path, message, fix }) => `${rule} at ${path || "/"}: ${message} ${fix}`).join(" ");
}
