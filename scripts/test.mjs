import { runSteps } from "./lib/run-steps.mjs";
import { allSteps } from "./lib/steps.mjs";

process.exitCode = await runSteps(allSteps);
