import { defineTool, type ToolDefinition, ToolAuthorizationError } from "@toolrack/core";
import { joinOutput, runProgram, withNote } from "./_program.ts";
import type { BashRules, CodePack } from "./options.ts";

export function createBash(pack: CodePack, rules: BashRules): ToolDefinition {
  return defineTool({
    name: "bash",
    title: "Shell",
    description: withNote("Runs a line in bash, in the workspace, and gives its output and exit code.", pack),
    inputSchema: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, maxLength: 100_000, pattern: "^[^\\u0000]*$", description: "The line to run." },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: pack.timeoutMs,
          default: pack.timeoutMs,
          description: "After how many milliseconds it is ended.",
        },
      },
      required: ["command"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        exitCode: { type: "integer", description: "0 means success." },
        stdout: { type: "string" },
        stderr: { type: "string" },
      },
      required: ["exitCode", "stdout", "stderr"],
    },
    metadata: {
      category: "build",
      optionality: "optional",
      usageHint: "For shell commands that no other tool covers. Check exitCode: a failed command still returns a result.",
      examples: [{ description: "Count words", input: { command: "echo one two | wc -w" }, usage: "result.stdout" }],
      groups: ["runtime"],
      profiles: ["coding"],
      requiresCapabilities: ["bash"],
      aliases: { cmd: "command", timeout: "timeout_ms" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      limits: { timeoutMs: pack.timeoutMs + 15_000, maxResultBytes: 512 * 1024 },
    },
    async handler({ command, timeout_ms: timeoutMs }, { signal }) {
      refuseByRules(command, rules);
      const result = await runProgram(pack, ["bash", "--noprofile", "--norc", "-c", command], { signal, timeoutMs });
      const head = result.exitCode === 0 ? "" : `[exit code ${result.exitCode}]\n`;
      return {
        ok: true,
        content: head + joinOutput(result),
        data: result,
        effects: [{ kind: "process", action: "run", target: command.slice(0, 500) }],
      };
    },
  });
}

function refuseByRules(command: string, { allow, forbid = [] }: BashRules): void {
  if (allow !== undefined && !allow.includes(command)) {
    throw new ToolAuthorizationError(
      `This command line is not allowed. Allowed lines: ${allow.map((line) => JSON.stringify(line)).join(", ")}.`,
    );
  }
  const found = forbid.find((text) => command.includes(text));
  if (found !== undefined) throw new ToolAuthorizationError(`A command line must not contain ${JSON.stringify(found)}.`);
}
