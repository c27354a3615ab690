import { checkSteps } from "./lib/steps.mjs";
import { runSteps } from "./lib/run-steps.mjs";

process.exitCode = await runSteps(checkSteps, { build: false });
