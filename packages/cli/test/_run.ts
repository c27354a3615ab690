import { Readable } from "node:stream";
import { runProgram } from "../src/program.ts";

export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
  /** The output as JSON. */
  json(): unknown;
}

export interface RunOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Readable;
  readonly signal?: AbortSignal;
  readonly isTerminal?: boolean;
  readonly onOutput?: (text: string) => void;
  readonly onErrors?: (text: string) => void;
  /** The file of the program. */
  readonly script?: string;
}

/** Runs one command line as the program would, with streams that are read back. */
export async function run(words: readonly string[], options: RunOptions): Promise<Ended> {
  let output = "";
  let errors = "";
  const code = await runProgram(words, {
    folder: options.folder,
    environment: { XDG_STATE_HOME: process.env["XDG_STATE_HOME"]!, ...options.environment },
    input: typeof options.input === "object" ? options.input : Readable.from([options.input ?? ""]),
    output: {
      isTTY: options.isTerminal ?? false,
      columns: 80,
      write(text) {
        output += text;
        options.onOutput?.(text);
      },
    },
    errors: {
      isTTY: options.isTerminal ?? false,
      columns: 80,
      write(text) {
        errors += text;
        options.onErrors?.(text);
      },
    },
    signal: options.signal ?? new AbortController().signal,
    version: "0.1.0",
    ...(options.script !== undefined && { script: options.script }),
  });
  return {
    code,
    output,
    errors,
    json: () => JSON.parse(output) as unknown,
  };
}
