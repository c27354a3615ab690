/**
 * How the packages of this repository start and end programs. Like everything under `internal`, it may change with every version: import
 * nothing from here in a program of your own.
 */

export { endAtExit } from "../programs/end-at-exit.ts";
export { ProcessFault, processFaultText } from "../programs/process-fault.ts";
export { signalGroup } from "../programs/process-group.ts";
export { createProcessGuard, markVariable, type ProcessGuard } from "../programs/process-guard.ts";
export { outputRead, type ProgramExit, type ProgramOptions, type RunningProgram, startProgram } from "../programs/start-program.ts";
export { programVariables, variablesOf } from "../programs/variables.ts";
