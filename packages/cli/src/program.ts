import { Command as Commander, CommanderError, Option } from "commander";
import { commands, families } from "./commands.ts";
import type { Command } from "./commands/command.ts";
import { connect } from "./connection/connect.ts";
import type { Connection } from "./connection/connection.ts";
import { CommandError, type ExitReason, exitCodes } from "./errors.ts";
import { didYouMean } from "./print/did-you-mean.ts";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { safe, safeJson } from "./print/safe.ts";
import { wantsColour } from "./print/style.ts";
import { createTerminal, type Streams } from "./print/terminal.ts";

export interface ProgramOptions extends Streams {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly version: string;
  /** The file of this program. @default the one that Node was started with */
  readonly script?: string;
}

/** Runs one command line and answers the exit code. Never rejects. */
export async function runProgram(words: readonly string[], options: ProgramOptions): Promise<number> {
  let reason: ExitReason = "ok";
  const program = createProgram(commandsFor(words), options, (ended) => (reason = ended));
  try {
    await program.parseAsync([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed what it has to say: help and version end well, everything else is a mistake in the words.
    reason = error.exitCode === 0 ? "ok" : "usage";
    if (reason === "usage" && wantsJson(words)) printProblem(options.output, { detail: error.message.replace(/^error: /, "") });
  }
  return exitCodes[reason].code;
}

interface GlobalOptions {
  readonly url?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly color?: boolean;
  readonly verbose?: boolean;
}

/** The commands that begin with the first word; for help and suggestions all of them. */
function commandsFor([word]: readonly string[]): readonly Command[] {
  const family = commands.filter(({ name }) => familyOf(name) === word);
  return family.length > 0 ? family : commands;
}

function familyOf(name: string): string {
  return name.split(" ")[0]!;
}

function createProgram(family: readonly Command[], options: ProgramOptions, onEnd: (reason: ExitReason) => void): Commander {
  const program = new Commander("toolrack")
    .description("The tool plane for AI agents: list, call, govern and monitor tools.")
    .version(options.version)
    .option("--url <url>", "URL of a running server (default: TOOLRACK_URL, else the server or the store of this folder)")
    .option("--config <file>", "configuration file (default: toolrack.config.yaml)")
    .option("--json", "print the answer as JSON")
    .addOption(new Option("--no-color", "print without color"))
    .option("--verbose", "print on stderr which server or store is used, also in a pipe")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void options.output.write(text),
      writeErr: (text) => void options.errors.write(text),
      getOutHelpWidth: () => options.output.columns ?? 80,
      getErrHelpWidth: () => options.output.columns ?? 80,
    })
    .showSuggestionAfterError(true)
    .addHelpText("after", helpAfter);
  for (const command of family) {
    const word = command.name.split(" ").at(-1)!;
    // `toolrack sources` lists them.
    const isDefault = command.name.endsWith(" list");
    const self = parentOf(program, command)
      .command(word, { isDefault })
      .description(command.summary)
      .exitOverride()
      // What is no sub-command is handed to the default one, which then tells so.
      .allowExcessArguments(isDefault)
      .action(async (...given: unknown[]) => {
        const called = given.at(-1) as Commander;
        onEnd(await runCommand(command, called, called.optsWithGlobals<GlobalOptions>(), options));
      });
    for (const alias of command.aliases ?? []) self.alias(alias);
    describe(self, command);
  }
  return program;
}

async function runCommand(command: Command, self: Commander, global: GlobalOptions, options: ProgramOptions): Promise<ExitReason> {
  const { folder, environment, signal, output, errors } = options;
  const isColoured = (isTerminal = false): boolean => global.color !== false && wantsColour(environment, isTerminal);
  const terminal = createTerminal(options, {
    isJson: global.json === true,
    isColoured: isColoured(output.isTTY),
    hasColouredErrors: isColoured(errors.isTTY),
  });
  const tellsServer = global.verbose === true || (errors.isTTY === true && terminal.isInteractive && !terminal.isJson);
  const opened: Connection[] = [];
  try {
    demandCommand(command, self);
    const words = self.processedArgs as (string | readonly string[] | undefined)[];
    const ended = await command.run({
      arguments: words.filter((word) => !Array.isArray(word)) as string[],
      rest: words.find((word): word is readonly string[] => Array.isArray(word)) ?? [],
      options: self.opts(),
      lists: (name) => self.opts<Readonly<Record<string, readonly string[] | undefined>>>()[name] ?? [],
      terminal,
      folder,
      url: global.url,
      script: options.script ?? process.argv[1] ?? "",
      config: global.config,
      program: programOf(global),
      nextPage: (flag) => [programOf(global), command.name, ...givenWords(self, flag), flag].join(" "),
      environment,
      signal,
      async connect() {
        const { url, config } = global;
        const connection = await connect({
          folder,
          environment,
          usesTools: command.usesTools ?? true,
          ...(url !== undefined && { url }),
          ...(config !== undefined && { config }),
          // Once, and where no program reads along.
          ...(tellsServer && opened.length === 0 && { onChosen: (sentence: string) => void errors.write(`${safe(sentence)}\n`) }),
        });
        opened.push(connection);
        return connection;
      },
    });
    return ended ?? "ok";
  } catch (error) {
    const told = global.verbose === true ? error : (unreadAnswer(error, opened) ?? error);
    return report(told, terminal.isJson && !terminal.hasAnswered, options);
  } finally {
    for (const connection of opened) await connection.close();
  }
}

/** A word that no sub-command has: `toolrack policy expain`. */
function demandCommand({ name, arguments: words = [] }: Command, self: Commander): void {
  const unknown = self.args[words.length];
  if (unknown === undefined || words.some(({ form }) => form.includes("..."))) return;
  const family = familyOf(name);
  const known = commands.flatMap((one) =>
    familyOf(one.name) === family ? [one.name.slice(family.length + 1), ...(one.aliases ?? [])] : [],
  );
  const suggestion = didYouMean(unknown, known).replace(/"(.*)"/, `"toolrack ${family} $1"`);
  throw new CommandError(
    "usage",
    `There is no command "toolrack ${family} ${shellWord(safe(unknown))}".${suggestion} The commands of ${family} are ${known.join(", ")}; see: toolrack ${family} --help`,
  );
}

/** As the person wrote it, so that what is suggested talks to the same server. */
function programOf({ url, config }: GlobalOptions): string {
  const given = [["--url", url] as const, ["--config", config] as const].flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, shellWord(safe(value))],
  );
  return ["toolrack", ...given].join(" ");
}

/** The arguments and options of a command line as words of a shell, without one of the options. */
function givenWords(self: Commander, without: string): readonly string[] {
  const given = self.options.filter((option) => option.long !== without && self.getOptionValueSource(option.attributeName()) === "cli");
  const options = given.flatMap((option) => {
    const value: unknown = self.getOptionValue(option.attributeName());
    const flag = option.long ?? option.flags;
    if (typeof value === "boolean") return [flag];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [flag, shellWord(safe(String(one)))]);
  });
  return [...self.args.map((word) => shellWord(safe(word))), ...options];
}

/** Expected errors are printed as a message; only unexpected ones show a stack. With --json, there is always one document on standard output. */
function report(error: unknown, isJson: boolean, { errors, output, signal }: ProgramOptions): ExitReason {
  if (signal.aborted) return "failed";
  const known = error instanceof CommandError ? error : fromCoded(error);
  if (known === undefined) {
    errors.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    if (isJson) printProblem(output, { detail: error instanceof Error ? error.message : String(error) });
    return "failed";
  }
  if (isJson) printProblem(output, known.problem ?? { detail: known.message });
  else errors.write(`${safe(known.message)}\n`);
  return known.reason;
}

function printProblem(output: ProgramOptions["output"], problem: unknown): void {
  output.write(`${safeJson(JSON.stringify({ error: problem }, null, 2))}\n`);
}

/** For words that were not understood, and so are no options yet. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes("--json");
}

/**
 * What a server answers is used as its version says, unchecked. What then fails in a command comes from a server of another version, or from
 * something in between; a Toolrack opened by the command itself has its version.
 */
function unreadAnswer(error: unknown, opened: readonly Connection[]): CommandError | undefined {
  const isOfShape = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  const asked = opened.findLast((connection) => connection.isServer && connection.answered().length > 0);
  if (!isOfShape || "code" in error || asked === undefined) return undefined;
  const fact = error.message.replace(/\.$/, "");
  return new CommandError(
    "unreachable",
    `What ${asked.where} answered to ${asked.answered().join(", ")} is not what this command expects: ${fact}. Check the URL, and that the server has the version of toolrack --version. With --verbose, the place in this program is printed.`,
  );
}

/** Errors of the library carry a code: their sentences are meant for people. */
function fromCoded(error: unknown): CommandError | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  if (!(error instanceof Error) || typeof code !== "string" || !/^[A-Z_]+$/.test(code)) return undefined;
  return new CommandError(/CONFIG|POLICY|TOKENS|TLS|SIGN_IN/.test(code) ? "usage" : "unreachable", error.message);
}

function parentOf(program: Commander, { name }: Command): Commander {
  const parents = name.split(" ").slice(0, -1);
  return parents.reduce(
    (above, word) =>
      above.commands.find((one) => one.name() === word) ??
      above
        .command(word)
        .description(families[word] ?? "")
        .exitOverride(),
    program,
  );
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
