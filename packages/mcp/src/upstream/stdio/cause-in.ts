/**
 * The one line of what a program wrote on stderr that says why it ended: the last that names an error, else the last of its words. All of
 * it, with its stack, belongs into a log.
 */
export function causeIn(stderr: string): string {
  const lines = stderr.split("\n").flatMap((line) => (line.trim() === "" || noise.test(line) ? [] : [line.trim()]));
  return (lines.findLast((line) => named.test(line)) ?? lines.at(-1) ?? stderr.trim()).slice(0, 300);
}

/** "Error: Cannot find module", "ModuleNotFoundError: No module …", "npm error 404 …", "fatal: …" */
const named = /^(?:\[?[\w.$]*(?:Error|Exception)\b(?:\s\[\w+\])?:|(?:npm )?(?:error|err!|fatal|panic)\b)/i;
/** Parts of a stack, of the object after it, and of the version that Node.js tells. */
const noise = /^\s*(?:at\s|File "|\^+\s*$|[{}[\]]+[,;]?\s*$|Node\.js v|throw\s|Traceback )|^\s+\w+: .*,?$/;
