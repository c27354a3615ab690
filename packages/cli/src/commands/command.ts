import type { Connection } from "../connection/connection.ts";
import type { ExitReason } from "../errors.ts";
import type { Terminal } from "../print/terminal.ts";

/** One command: what it takes, and the work. The program, its help and shell completion are made from the list of these. */
export interface Command {
  /** "list"; "policy explain" for one below another. */
  readonly name: string;
  readonly summary: string;
  /** Other last words of the name, which mean the same. */
  readonly aliases?: readonly string[];
  /** As commander writes them: "<tool>" is required, "[input]" optional, "[names...]" a list. */
  readonly arguments?: readonly { readonly form: string; readonly description: string }[];
  readonly options?: readonly CommandOption[];
  /** False where the command looks at records only: MCP servers and the like are then not started for it. @default true */
  readonly usesTools?: boolean;
  /** Shown below the help, each a line that works. */
  readonly examples?: readonly string[];
  /** Answers how the process ends; nothing means "ok". */
  run(input: CommandInput): Promise<ExitReason | void>;
}

export interface CommandOption {
  readonly flags: string;
  readonly description: string;
  readonly default?: string;
  /** Whether it can be given several times; its values are in `lists`. @default false */
  readonly isList?: boolean;
}

/** `Words` are the arguments as the command declares them: `[id: string, version?: string]` for "<id>" and "[version]". */
export interface CommandInput<Words extends readonly (string | undefined)[] = readonly (string | undefined)[]> {
  readonly arguments: Words;
  /** A list argument, where the command has one. */
  readonly rest: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** The values of an option that can be given several times. */
  lists(name: string): readonly string[];
  readonly terminal: Terminal;
  /** To the server or the local store; closed when the command ends. */
  connect(): Promise<Connection>;
  readonly folder: string;
  /** The file of this program, for entries that start it again. */
  readonly script: string;
  /** --url. */
  readonly url: string | undefined;
  /** --config. */
  readonly config: string | undefined;
  /** "toolrack", with --url and --config as they were given: begins the commands that are suggested. */
  readonly program: string;
  /** This command with the arguments and options it was given, and `flag` last: what follows it says where the next page begins. */
  nextPage(flag: string): string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
