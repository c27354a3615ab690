import { nearestNames } from "@toolrack/json-schema/internal";
import type { ToolExample } from "../tool/metadata.ts";
import type { ToolResult } from "../tool/result.ts";
import { inputParserOf, type ToolDefinition } from "../tool/tool.ts";
import { type AnyTool, readTool } from "../tool/shapes.ts";
import { declaredBy } from "../lint/declared-names.ts";
import { type Reads, recordReads } from "./_recorder.ts";
import { type TrialOptions, tryTool, whyFailed } from "./trial.ts";

/** Where a handler and its schema have come apart. */
export interface DriftReport {
  readonly tool: string;
  /** True when every example ran to its end and nothing undeclared was read. */
  readonly ok: boolean;
  readonly findings: readonly DriftFinding[];
  /** What each example gave, in their order; a result is absent where the handler did not end in time. */
  readonly runs: readonly { readonly example: ToolExample; readonly result?: ToolResult }[];
}

export interface DriftFinding {
  /**
   * "undeclared": the handler reads a parameter that the schema does not have. "unfinished": an example did not run to its end, or
   * there is none, so there may be more. For information: "unread", a declared parameter that no example made the handler read;
   * "copied", an object that the handler goes through as a whole, so that what it reads from a copy is not seen.
   */
  readonly kind: "undeclared" | "unfinished" | "unread" | "copied";
  /** "filters.maxPrice", "items[].id"; "" is the input itself. */
  readonly path: string;
  readonly message: string;
}

/** Runs the examples with an input that records what is read, and compares that with the schema. */
export async function findDrift<Services = undefined>(
  shape: AnyTool<NoInfer<Services>>,
  options: TrialOptions<Services> = {},
): Promise<DriftReport> {
  const tool = readTool(shape);
  const reads: Reads = new Map();
  const findings: DriftFinding[] = [];
  const examples = tool.metadata?.examples ?? [];
  if (examples.length === 0)
    findings.push({ kind: "unfinished", path: "", message: "The tool has no example to run. Add one to metadata.examples." });
  const runs: DriftReport["runs"][number][] = [];
  for (const example of examples) {
    const { description, input } = example;
    const result = await tryTool(tool, input, options, recordingHandler(tool, reads));
    runs.push({ example, ...(result && { result }) });
    const problem = whyFailed(result, options);
    if (problem !== undefined)
      findings.push({ kind: "unfinished", path: "", message: `Example "${description}" did not run to its end. ${problem}` });
  }
  findings.push(...compare(reads));
  return { tool: tool.name, ok: !findings.some(({ kind }) => kind === "undeclared" || kind === "unfinished"), findings, runs };
}

function recordingHandler(tool: ToolDefinition, reads: Reads): ToolDefinition["handler"] {
  const declared = declaredBy(tool.inputSchema);
  const recordOptions = { aliases: Object.keys(tool.metadata?.aliases ?? {}), trustsPresent: inputParserOf(tool) !== undefined };
  return async (input: unknown, context) => {
    const recording = recordReads(input, declared, reads, recordOptions);
    try {
      return await tool.handler(recording.input, context);
    } finally {
      recording.stop();
    }
  };
}

function* compare(reads: Reads): Generator<DriftFinding> {
  for (const [at, { place, read, undeclared, copied }] of reads) {
    const under = (name: string): string => (at === "" ? name : `${at}.${name}`);
    for (const name of undeclared) {
      const near = nearestNames(name, place.names, 1)[0];
      const hint = near === undefined ? "Declare it, or do not read it." : `Did you mean "${near}"?`;
      yield {
        kind: "undeclared",
        path: under(name),
        message: `The handler reads "${under(name)}", which the schema does not declare. ${hint}`,
      };
    }
    if (copied) {
      const what = at === "" ? "the whole input" : `all of "${at}"`;
      yield { kind: "copied", path: at, message: `The handler goes through ${what}; what it reads from a copy is not seen.` };
      continue;
    }
    for (const name of place.names.filter((declared) => !read.has(declared))) {
      yield { kind: "unread", path: under(name), message: `No example made the handler read "${under(name)}".` };
    }
  }
}
