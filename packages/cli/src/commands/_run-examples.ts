import type { Finding } from "@toolrack/core/lint";
import type { ToolResult } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { outputFindings, runFailed, skipped } from "./_example-findings.ts";

/** Calls the tools that are offered with their examples, as `toolrack call` does, one after the other. */
export async function runExamplesOf(
  connection: Connection,
  { only, except, signal }: { readonly only: string | undefined; readonly except: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  const { compareOutput } = await import("@toolrack/core/testing");
  const { tools } = await connection.ask("GET /tools");
  const findings: Finding[] = [];
  for (const { name, annotations, asks } of tools.filter((tool) => (only === undefined || tool.name === only) && !except.has(tool.name))) {
    const tool = await connection.ask("GET /tools/{name}", { params: { name } });
    const { examples = [] } = tool.metadata ?? {};
    const at = { tool: name, path: "" };
    const reason = annotations?.destructive === true ? "it is destructive" : asks ? "each call needs a person's approval" : undefined;
    if (reason !== undefined) findings.push(...skipped(at, reason, examples.length));
    else
      for (const [number, example] of examples.entries()) {
        const result = await callTool(connection, name, example.input, signal);
        findings.push(
          ...(result.ok
            ? outputFindings(at, number, example, compareOutput(tool, example, result))
            : runFailed(at, number, example, `it answered ${result.code}: ${result.error}`)),
        );
      }
  }
  return findings;
}

async function callTool(connection: Connection, name: string, input: unknown, signal: AbortSignal): Promise<ToolResult> {
  const events = connection.follow("POST /tools/{name}/call", { params: { name }, body: { input, timeoutMs: 30_000 }, signal });
  for await (const { event, data } of events) if (event === "result") return data;
  throw new CommandError("unreachable", `The connection to ${connection.where} closed before the result arrived. See: toolrack calls`);
}
