import { type CallContext, ToolError } from "@toolrack/core";
import type { Breadcrumb, ImplementationKind, JsonObject } from "@toolrack/store";
import type { RecordProcessesConfig } from "../../../config/config.ts";
import { mustKnow, wrong } from "./_definition.ts";
import { collectOutput } from "./_process-output.ts";

/** How a definition says that it is a program of this machine. */
export interface ProcessImplementation {
  readonly kind: "process";
  /** The program and its arguments, as they are: no shell reads them. The input of the tool comes as JSON on standard input. */
  readonly command: readonly string[];
  /** Variables of the program; "secret:<name>" is the value of a secret. Nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default what the server permits at most */
  readonly timeoutMs?: number;
}

export interface ProcessHost {
  /** Which programs records may run; undefined for none. */
  readonly processes: RecordProcessesConfig | undefined;
  /** Files of the server, which no program sees. */
  readonly hidden: readonly string[];
}

/**
 * Definitions that are a program of this machine: started for each call in an empty folder, isolated and without network, limited, and ended with the
 * call, together with all that it started. What it prints is the result.
 */
export function processKind({ processes, hidden }: ProcessHost): ImplementationKind {
  const running = new Set<() => Promise<void>>();
  return {
    kind: "process",
    secrets: (implementation) => Object.values(readEnv(implementation) ?? {}).flatMap((value) => secretOf(value) ?? []),
    createHandler(implementation, definition) {
      const { command, env, timeoutMs } = readProcess(implementation, definition);
      const [program, ...args] = command as [string, ...string[]];
      if (processes === undefined || !processes.programs.includes(program))
        throw wrong(
          definition,
          `the program ${JSON.stringify(program.slice(0, 200))} may not be run by records. Add it to tools.records.processes.programs in toolrack.config.yaml, and restart the server.`,
        );
      const mostMs = processes.timeoutMs ?? defaults.timeoutMs;
      const allowedMs = Math.min(timeoutMs ?? mostMs, mostMs);
      const tool = String(definition.context["name"]);

      return async (input, context) => {
        const { createScratchProcesses, ProcessFault, processFaultText } = await import("./_process-parts.ts");
        const { maxMemoryBytes = defaults.maxMemoryBytes, network = false, unconfined = false, readable } = processes;
        const scratch = createScratchProcesses({ maxMemoryBytes, network, unconfined, hidden, ...(readable && { readable }) });
        const close = (): Promise<void> => scratch.close();
        running.add(close);
        const output = collectOutput();
        let timer: NodeJS.Timeout | undefined;
        let onAbort: () => void = () => undefined;
        try {
          const variables = { ...usualVariables, ...(await resolveSecrets(env, context)) };
          const started = await scratch
            .start({ program, args, env: variables, takesInput: true, onOutput: (stream, bytes) => output.take(stream, bytes) })
            .catch((error: unknown) => {
              throw error instanceof ProcessFault ? new ToolError("TOOL_FAILED", `Tool "${tool}": ${processFaultText(error)}`) : error;
            });
          const early = new Promise<never>((_, reject) => {
            timer = setTimeout(
              () => reject(new ToolError("TIMEOUT", `Tool "${tool}": the program ran longer than ${allowedMs} ms, and was ended.`)),
              allowedMs,
            );
            output.onTooMuch(() =>
              reject(
                new ToolError("RESULT_TOO_LARGE", `Tool "${tool}": the program printed more than ${output.maxBytes} bytes, and was ended.`),
              ),
            );
            onAbort = () => reject(context.signal.reason as Error);
            if (context.signal.aborted) onAbort();
            context.signal.addEventListener("abort", onAbort, { once: true });
          });
          // A program need not read its input.
          void started.write(JSON.stringify(input)).then(
            () => started.endInput(),
            () => undefined,
          );
          const { exitCode, signal } = await Promise.race([started.ended, early]);
          if (exitCode === 0) return output.result();
          const how = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
          const said = output.errors();
          throw new ToolError("TOOL_FAILED", `Tool "${tool}": the program ${how}${said === "" ? "." : `: ${said}`}`);
        } finally {
          clearTimeout(timer);
          context.signal.removeEventListener("abort", onAbort);
          running.delete(close);
          await close();
        }
      };
    },
    close: async () => void (await Promise.all([...running].map((end) => end()))),
  };
}

const defaults = { timeoutMs: 30_000, maxMemoryBytes: 536_870_912 } as const;
const usualVariables = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" } as const;
const maxWords = 100;
const maxCommandLength = 10_000;

function readProcess(
  implementation: JsonObject,
  definition: Breadcrumb,
): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly timeoutMs: number | undefined } {
  mustKnow(definition, implementation, ["kind", "command", "env", "timeoutMs"]);
  const { command, timeoutMs } = implementation as { readonly command?: unknown; readonly timeoutMs?: unknown };
  const isWord = (word: unknown): word is string => typeof word === "string" && !word.includes("\0");
  if (!Array.isArray(command) || command.length === 0 || command.length > maxWords || !command.every(isWord) || command[0] === "")
    throw wrong(
      definition,
      'implementation.command must be a list: the program, then its arguments, each a text, such as ["jq", "-c", ".items"]. No shell reads it.',
    );
  if (command.join("").length > maxCommandLength)
    throw wrong(definition, `implementation.command is longer than ${maxCommandLength.toLocaleString("en-US")} characters.`);
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && (timeoutMs as number) >= 1))
    throw wrong(definition, "implementation.timeoutMs must be a whole number of milliseconds, at least 1.");
  const env = readEnv(implementation);
  if (env === undefined)
    throw wrong(
      definition,
      'implementation.env must be an object of texts, whose names are letters, digits and "_"; "secret:<name>" stands for a secret. PATH and what begins with LD_ cannot be set.',
    );
  return { command: command as string[], env, timeoutMs: timeoutMs as number | undefined };
}

/** Undefined where it is wrong. */
function readEnv({ env = {} }: JsonObject): Readonly<Record<string, string>> | undefined {
  if (typeof env !== "object" || env === null || Array.isArray(env)) return undefined;
  const isRight = ([name, value]: [string, unknown]): boolean =>
    /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) &&
    !/^(PATH|LD_.*|NODE_OPTIONS)$/i.test(name) &&
    typeof value === "string" &&
    !value.includes("\0") &&
    value.length <= 4_096;
  return Object.keys(env).length <= maxWords && Object.entries(env).every(isRight) ? (env as Record<string, string>) : undefined;
}

function secretOf(value: string): string | undefined {
  return /^secret:(.+)$/s.exec(value)?.[1];
}

async function resolveSecrets(env: Readonly<Record<string, string>>, context: CallContext): Promise<Record<string, string>> {
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const secret = secretOf(value);
    resolved[name] = secret === undefined ? value : await context.secret(secret);
  }
  return resolved;
}
