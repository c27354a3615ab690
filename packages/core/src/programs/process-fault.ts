/** Why a program did not start, or could not be written to. */
export class ProcessFault extends Error {
  override readonly name: string = "ProcessFault";
  /** ENOENT, EACCES, EAGAIN …; ENOTDIR if there is no such working directory. */
  readonly code: string;
  readonly program: string;

  constructor(code: string, program: string, options?: ErrorOptions) {
    super(`${code}: ${program}`, options);
    this.code = code;
    this.program = program;
  }
}

/** The fault as a sentence with the next step. */
export function processFaultText({ code, program }: ProcessFault, cwd?: string): string {
  const shown = JSON.stringify(program.slice(0, 200));
  switch (code) {
    case "ENOENT":
      return `There is no program ${shown}. Install it, or put it on the PATH.`;
    case "ENOTDIR":
      return `There is no folder ${cwd === undefined ? "" : `${JSON.stringify(cwd)} `}to start ${shown} in.`;
    case "EACCES":
      return `${shown} may not be run: it is no program, or its permissions forbid it.`;
    case "EPIPE":
      return "The program no longer reads its input.";
    case "E2BIG":
      return `The arguments of ${shown} are too long for this system.`;
    default:
      return `${shown} could not be started: the system answered ${code}.`;
  }
}
