import { shellWord } from "@toolrack/core/internal/shell-word";
import type { ToolExample } from "@toolrack/core";
import type { Finding } from "@toolrack/core/lint";
import type { OutputProblems } from "@toolrack/core/testing";

/** The tool that a finding is about, and the beginning of the finding's path. */
export interface ExamplePlace {
  readonly tool: string;
  readonly path: string;
}

export function skipped({ tool, path }: ExamplePlace, reason: string, examples: number | undefined): readonly Finding[] {
  if (examples === undefined || examples === 0) return [];
  const message = `The examples were not run, because ${reason}.`;
  const fix = `Run one yourself where it does no harm: toolrack show ${shellWord(tool)} prints them as commands.`;
  return [{ rule: "example-skipped", severity: "info", tool, path: `${path}/metadata/examples`, message, fix }];
}

export function runFailed({ tool, path }: ExamplePlace, number: number, { description }: ToolExample, fact: string): readonly Finding[] {
  const message = `Example ${number + 1} ("${description}") does not run: ${fact}`;
  const fix = "Correct the example or the handler: models copy examples.";
  return [{ rule: "example-failed", severity: "error", tool, path: `${path}/metadata/examples/${number}`, message, fix }];
}

/** An output may differ each time, so one that is not as shown is a warning. */
export function outputFindings(
  { tool, path }: ExamplePlace,
  number: number,
  { description }: ToolExample,
  { schema, shown, usage }: OutputProblems,
): readonly Finding[] {
  const finding = (severity: Finding["severity"], below: string, fact: string | undefined, fix: string): readonly Finding[] =>
    fact === undefined
      ? []
      : [
          {
            rule: "example-output",
            severity,
            tool,
            path: `${path}/metadata/examples/${number}${below}`,
            message: `Example ${number + 1} ("${description}"): ${fact}`,
            fix,
          },
        ];
  return [
    ...finding("error", "", schema, "Correct the handler or the output schema."),
    ...finding("warning", "/output", shown, "Correct the output of the example, or leave it if it differs each time."),
    ...finding("error", "/usage", usage, "Correct the usage: it tells a model how to read the output."),
  ];
}
