import { checkSteps, testSteps } from "./lib/steps.mjs";
import { runSteps } from "./lib/run-steps.mjs";

process.exitCode = await runSteps([...checkSteps, ...testSteps]);
