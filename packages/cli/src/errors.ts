/** Exit codes, for scripts. The help and the reference page print these sentences. */
export const exitCodes = {
  ok: { code: 0, sentence: "Success." },
  failed: { code: 1, sentence: "A call failed, or a check found something." },
  usage: { code: 2, sentence: "The command was not understood, or the configuration is wrong." },
  refused: { code: 3, sentence: "Refused: by a policy, a missing role, a missing sign-in, or an approval that does not match." },
  notFound: { code: 4, sentence: "There is no such tool, record, call or key." },
  unreachable: { code: 5, sentence: "The server or the store cannot be reached." },
} as const;

export type ExitReason = keyof typeof exitCodes;

/** Ends a command with a sentence for the person at the terminal. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly reason: ExitReason;
  /** The problem document of the server; printed with --json. */
  readonly problem: unknown;

  constructor(reason: ExitReason, message: string, problem?: unknown) {
    super(message);
    this.reason = reason;
    this.problem = problem;
  }
}

/** Why a file cannot be read, in words: "there is no such file". */
export function fileFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code !== undefined && fileFaults[code]) || message;
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of its path is not a folder",
  EACCES: "its permissions do not allow it",
  EPERM: "its permissions do not allow it",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
};
