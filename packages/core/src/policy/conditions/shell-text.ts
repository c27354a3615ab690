import type { TextTest } from "./condition.ts";

/**
 * Why a condition must not be used on a command line; undefined if it may be.
 * A rule that allows calls may only compare the whole text. A rule that denies or asks may search for a part anywhere in it,
 * but not test its beginning, which is the first thing that an evasion changes.
 */
export function objectToShellText(tests: readonly TextTest[], effect: "allow" | "deny" | "ask"): string | undefined {
  const found = tests.find(({ test, names }) => (effect === "allow" || prefixTests.has(test)) && names.some(isShellText));
  if (found === undefined) return undefined;
  const name = found.names.find(isShellText)!;
  return (
    `it looks at a part of the shell text "${name}" (${found.test}), and a part does not tell what a shell will do: ` +
    `"git status; rm -rf /" begins with "git". Compare the whole text (${name} == "git status"), ` +
    `or use a tool that takes the program and its arguments apart (argv[0] == "git")`
  );
}

/** Tests of the beginning of a text, or of a part that is cut out of it. */
const prefixTests: ReadonlySet<string> = new Set(["startsWith", "indexOf", "lastIndexOf", "substring", "split", "<", "<=", ">", ">="]);

function isShellText(name: string): boolean {
  return shellTexts.has(name.toLowerCase().replaceAll(/[-_]/g, ""));
}

const shellTexts: ReadonlySet<string> = new Set(["command", "cmd", "commandline", "script", "shell", "shellcommand"]);
