import type { TextTest } from "./condition.ts";

/**
 * Why a condition must not be trusted with a command line, or undefined where it may be.
 * A rule that lets calls pass may only compare the whole text. A rule that refuses or asks may look for a part anywhere in it,
 * but not at its beginning, which is what every evasion changes first.
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

/** Tests that say something about the beginning of a text, or take one out of it. */
const prefixTests: ReadonlySet<string> = new Set(["startsWith", "indexOf", "lastIndexOf", "substring", "split", "<", "<=", ">", ">="]);

function isShellText(name: string): boolean {
  return shellTexts.has(name.toLowerCase().replaceAll(/[-_]/g, ""));
}

const shellTexts: ReadonlySet<string> = new Set(["command", "cmd", "commandline", "script", "shell", "shellcommand"]);
