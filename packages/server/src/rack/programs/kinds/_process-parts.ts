/** What starts programs, in a module of its own: it is loaded with the first call of one. */
export { ProcessFault, processFaultText } from "@toolrack/core/internal/programs";
export { createScratchProcesses } from "@toolrack/tools";
