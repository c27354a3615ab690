import { runProgram } from "./program.ts";
import { version } from "./version.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  // The first one ends things in order, the second at once.
  process.once(name, () => {
    stop.abort(name);
    process.once(name, () => process.exit(130));
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
