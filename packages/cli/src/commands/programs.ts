import { callerOptions } from "./_caller.ts";
import type { Command, CommandInput } from "./command.ts";

export const programsList: Command = {
  name: "programs list",
  summary: "List programs that wait for a person, or did, newest first: where each stands, and how it ended.",
  usesTools: false,
  options: [
    { flags: "--limit <n>", description: "maximum number of programs", default: "50" },
    { flags: "--after <n>", description: "continue after the previous page" },
  ],
  examples: ["toolrack programs"],
  async run(input) {
    const { listPrograms } = await import("./_programs.ts");
    return listPrograms(input);
  },
};

export const programsShow: Command = {
  name: "programs show",
  summary: "Show a program: its source with the line it stands on, the calls it waits for with the labels of their arguments, its result.",
  usesTools: false,
  arguments: [{ form: "<id>", description: "id of a program, or its beginning" }],
  examples: ["toolrack programs show program-0mh3"],
  async run(input: CommandInput<[given: string]>) {
    const { showProgram } = await import("./_programs.ts");
    return showProgram(input);
  },
};

export const programsCancel: Command = {
  name: "programs cancel",
  summary: "Cancel a program that waits or runs, on any server. Its questions are withdrawn.",
  usesTools: false,
  arguments: [{ form: "<id>", description: "id of a program, or its beginning" }],
  examples: ["toolrack programs cancel program-0mh3"],
  async run(input: CommandInput<[given: string]>) {
    const { cancelProgram } = await import("./_programs.ts");
    return cancelProgram(input);
  },
};

export const programsRun: Command = {
  name: "programs run",
  summary: "Run a program over the tools of the server, as a model does with run_code.",
  arguments: [
    { form: "<file>", description: "file with the program; - reads it from standard input" },
    { form: "[input...]", description: "JSON, or name=value pairs: what the program sees as input" },
  ],
  options: [...callerOptions],
  examples: ["toolrack programs run report.ts", "toolrack programs run report.ts month=5"],
  async run(input: CommandInput<[file: string]>) {
    const { runProgramFile } = await import("./_programs.ts");
    return runProgramFile(input);
  },
};
