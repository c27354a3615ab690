import { build as runBuild, isBuildStale } from "./lib/build.mjs";
import { root } from "./lib/files.mjs";
import { install as runInstall, isInstallStale } from "./lib/install.mjs";
import { isMain } from "./lib/main.mjs";
import { startProgress } from "./lib/progress.mjs";

/** Thrown when a step of getting ready failed; `output` is all that the step printed. */
export class NotReadyError extends Error {
  constructor(step, output) {
    super(`${step} failed`);
    this.step = step;
    this.output = output;
  }
}

/**
 * Brings what is installed and built up to date with the files of the repository.
 * Prints one line for each thing it does, and nothing when nothing changed; answers what it did.
 */
export async function ready({ install = true, build = true } = {}) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new NotReadyError("Node", `Toolrack needs Node 20 or newer; this is ${process.version}.\n`);
  }
  const done = [];
  if (install && isInstallStale(root))
    done.push(await doStep("install", "installing the packages of package-lock.json", () => runInstall(root)));
  if (build && isBuildStale()) done.push(await doStep("build", "building the packages and examples", runBuild));
  return done;
}

async function doStep(name, sentence, act) {
  const end = startProgress(sentence);
  const { code, output } = await act();
  end(code === 0 ? "done" : "failed");
  if (code !== 0) throw new NotReadyError(name, output);
  return name;
}

/** Runs `act`; if the workspace could not be made ready, prints why and ends the process with 1. */
export async function orExit(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof NotReadyError)) throw error;
    process.stderr.write(`${error.output.trimEnd()}\n${error.message}.\n`);
    process.exit(1);
  }
}

if (isMain(import.meta.url)) {
  const done = await orExit(() => ready());
  if (done.length === 0) console.log("installed and built: nothing changed");
}
