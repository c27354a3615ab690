import { setMaxListeners } from "node:events";
import { runProgram } from "./program.ts";
import { version } from "./version.ts";

const stop = new AbortController();
// Every request of a command listens until the command ends, and there may be many.
setMaxListeners(0, stop.signal);
for (const [name, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  // The first one ends things in order, a second one of either kind at once.
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(code);
    stop.abort(name);
  });
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

void runProgram(process.argv.slice(2), {
  // Opened by the commands that read it.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  folder: process.cwd(),
  environment: process.env,
  signal: stop.signal,
  version,
}).then((code) => (process.exitCode = code));
