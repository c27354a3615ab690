import { Command as Commander, CommanderError, Option } from "commander";
import { commands } from "./commands.ts";
import type { Command } from "./commands/command.ts";
import { connect } from "./connection/connect.ts";
import type { Connection } from "./connection/connection.ts";
import { CommandError, type ExitReason, exitCodes } from "./errors.ts";
import { safe } from "./print/safe.ts";
import { createTerminal, type Streams } from "./print/terminal.ts";

export interface ProgramOptions extends Streams {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly version: string;
}

/** Runs one command line and answers the exit code. Never rejects. */
export async function runProgram(words: readonly string[], options: ProgramOptions): Promise<number> {
  let reason: ExitReason = "ok";
  const program = createProgram(familyOf(words[0]), options, (ended) => (reason = ended));
  try {
    await program.parseAsync([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed what it has to say: help and version end well, everything else is a mistake in the words.
    reason = error.exitCode === 0 ? "ok" : "usage";
  }
  return exitCodes[reason].code;
}

interface GlobalOptions {
  readonly url?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly color?: boolean;
}

/** The commands that begin with this word; for help and suggestions all of them. */
function familyOf(word: string | undefined): readonly Command[] {
  const family = commands.filter(({ name }) => name.split(" ")[0] === word);
  return family.length > 0 ? family : commands;
}

function createProgram(family: readonly Command[], options: ProgramOptions, onEnd: (reason: ExitReason) => void): Commander {
  const program = new Commander("toolrack")
    .description("The tool plane for AI agents: list, call, govern and monitor tools.")
    .version(options.version)
    .option("--url <url>", "URL of a running server (default: TOOLRACK_URL, else the local store)")
    .option("--config <file>", "configuration file (default: toolrack.config.yaml)")
    .option("--json", "print the answer as JSON")
    .addOption(new Option("--no-color", "print without color"))
    .exitOverride()
    .configureOutput({ writeOut: (text) => void options.output.write(text), writeErr: (text) => void options.errors.write(text) })
    .showSuggestionAfterError(true)
    .addHelpText("after", helpAfter);
  for (const command of family) {
    parentOf(program, command)
      // `toolrack sources` lists them.
      .command(command.name.split(" ").at(-1)!, { isDefault: command.name.endsWith(" list") })
      .description(command.summary)
      .exitOverride()
      .action(async (...given: unknown[]) => {
        const self = given.at(-1) as Commander;
        onEnd(await runCommand(command, self, self.optsWithGlobals<GlobalOptions>(), options));
      });
    describe(commanderOf(program, command), command);
  }
  return program;
}

async function runCommand(command: Command, self: Commander, global: GlobalOptions, options: ProgramOptions): Promise<ExitReason> {
  const { folder, environment, signal } = options;
  const isPlain = global.color === false || environment["NO_COLOR"] !== undefined;
  const terminal = createTerminal(options, { isJson: global.json === true, ...(isPlain && { isColoured: false }) });
  const opened: Connection[] = [];
  try {
    const words = self.processedArgs as (string | readonly string[] | undefined)[];
    const ended = await command.run({
      arguments: words.filter((word) => !Array.isArray(word)) as string[],
      rest: words.find((word): word is readonly string[] => Array.isArray(word)) ?? [],
      options: self.opts(),
      lists: (name) => self.opts<Readonly<Record<string, readonly string[] | undefined>>>()[name] ?? [],
      terminal,
      folder,
      url: global.url,
      config: global.config,
      environment,
      signal,
      async connect() {
        const { url, config } = global;
        const connection = await connect({
          folder,
          environment,
          usesTools: command.usesTools ?? true,
          prefersServer: command.prefersServer ?? command.usesTools ?? true,
          ...(url !== undefined && { url }),
          ...(config !== undefined && { config }),
        });
        opened.push(connection);
        return connection;
      },
    });
    return ended ?? "ok";
  } catch (error) {
    return report(error, terminal.isJson, options);
  } finally {
    for (const connection of opened) await connection.close();
  }
}

/** Expected errors are printed as a message; only unexpected ones show a stack. */
function report(error: unknown, isJson: boolean, { errors, output, signal }: ProgramOptions): ExitReason {
  if (signal.aborted) return "failed";
  const known = error instanceof CommandError ? error : fromCoded(error);
  if (known === undefined) {
    errors.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return "failed";
  }
  if (isJson) output.write(`${JSON.stringify({ error: known.problem ?? { detail: known.message } }, null, 2)}\n`);
  else errors.write(`${safe(known.message)}\n`);
  return known.reason;
}

/** Errors of the library carry a code: their sentences are meant for people. */
function fromCoded(error: unknown): CommandError | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  if (!(error instanceof Error) || typeof code !== "string" || !/^[A-Z_]+$/.test(code)) return undefined;
  return new CommandError(/CONFIG|POLICY|TOKENS|TLS|SIGN_IN/.test(code) ? "usage" : "unreachable", error.message);
}

function parentOf(program: Commander, { name }: Command): Commander {
  const parents = name.split(" ").slice(0, -1);
  return parents.reduce((above, word) => above.commands.find((one) => one.name() === word) ?? above.command(word).exitOverride(), program);
}

function commanderOf(program: Commander, { name }: Command): Commander {
  return name.split(" ").reduce((above, word) => above.commands.find((one) => one.name() === word)!, program);
}

function describe(self: Commander, { arguments: words = [], options = [], examples = [] }: Command): void {
  for (const { form, description } of words) self.argument(form, description);
  for (const { flags, description, default: fallback, isList = false } of options) {
    if (isList) self.option(flags, description, (value: string, before: readonly string[] = []) => [...before, value]);
    else self.option(flags, description, fallback);
  }
  if (examples.length > 0) self.addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
}

const helpAfter = `
Exit codes:
${Object.values(exitCodes)
  .map(({ code, sentence }) => `  ${code}  ${sentence}`)
  .join("\n")}

The API key for a server is read from TOOLRACK_KEY. A server that you started on this machine needs no key: you are its owner.`;
