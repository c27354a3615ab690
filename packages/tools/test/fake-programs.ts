import type { ProcessCommand, ProcessEnd, ProcessOperations } from "../src/operations/processes.ts";

/** A program that does nothing by itself: the test writes its output and ends it. */
export interface FakeProgram {
  readonly command: ProcessCommand;
  /** What was done to it, in order. */
  readonly events: string[];
  say(text: string, stream?: "stdout" | "stderr"): void;
  end(end?: Partial<ProcessEnd>): void;
}

export interface Fake {
  readonly processes: ProcessOperations;
  readonly programs: FakeProgram[];
}

/** Programs that a test plays, in the place of those of the machine. */
export function createFake(onStart: (program: FakeProgram) => void = () => undefined): Fake {
  const programs: FakeProgram[] = [];
  const processes: ProcessOperations = {
    async start(command) {
      const events: string[] = [];
      let finish: (end: ProcessEnd) => void = () => undefined;
      const ended = new Promise<ProcessEnd>((resolve) => (finish = resolve));
      const program: FakeProgram = {
        command,
        events,
        say: (text, stream = "stdout") => command.onOutput(stream, Buffer.from(text)),
        end: (end = {}) => finish({ exitCode: 0, signal: null, ...end } as ProcessEnd),
      };
      programs.push(program);
      onStart(program);
      return {
        pid: 1,
        ended,
        write: async (text) => void events.push(`write ${text}`),
        endInput: () => void events.push("end input"),
        signal: (name) => void events.push(name),
        stop() {
          events.push("stop");
          program.end({ exitCode: null, signal: "SIGTERM" } as never);
          return ended;
        },
      };
    },
    close: async () => undefined,
  };
  return { processes, programs };
}
