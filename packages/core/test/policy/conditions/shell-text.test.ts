import { describe, expect, it } from "vitest";
import { createCelEngine } from "../../../src/policy/conditions/cel.ts";
import { objectToShellText } from "../../../src/policy/conditions/shell-text.ts";

const { compile } = createCelEngine();
const testsOf = (condition: string): readonly unknown[] => compile(condition).textTests!;
const objectionTo = (condition: string, effect: "allow" | "deny" | "ask"): string | undefined =>
  objectToShellText(compile(condition).textTests!, effect);

describe("what a condition tests of a text", () => {
  it.each(["startsWith", "endsWith", "contains", "matches", "indexOf", "lastIndexOf"])("is found in a call of %s", (test) => {
    const sign = test.endsWith("ndexOf") ? " == 0" : "";
    expect(testsOf(`input.command.${test}("git")${sign}`)).toEqual([{ test, names: ["command", "input"] }]);
  });

  it.each<[string, string]>([
    ["substring", 'input.command.substring(0, 3) == "git"'],
    ["split", 'input.command.split(" ")[0] == "git"'],
  ])("is found in a call of %s, whose result is compared", (test, condition) => {
    expect(testsOf(condition)).toEqual([{ test, names: ["command", "input"] }]);
  });

  it.each(["<", "<=", ">", ">="])("is found in the comparison %s, on both of its sides", (test) => {
    expect(testsOf(`command ${test} input.other`)).toEqual([{ test, names: ["command", "other", "input"] }]);
  });

  it.each<[string, readonly unknown[]]>([
    ['"git" in input.command', [{ test: "in", names: ["command", "input"] }]],
    ['command in ["git", "ls"]', []],
    ['command in {"git": 1}', []],
    ['command == "git status"', []],
    ['input["command"].contains("x")', [{ test: "contains", names: ["command", "input"] }]],
    ['[command].exists(c, c.startsWith("git"))', [{ test: "startsWith", names: ["command"] }]],
    ['cel.bind(c, input.script, c.startsWith("git"))', [{ test: "startsWith", names: ["script", "input"] }]],
    [
      'command.contains("a") && script.endsWith("b")',
      ["contains", "endsWith"].map((test, at) => ({ test, names: [["command"], ["script"]][at] })),
    ],
    [
      'size(command) > 3 ? cmd.contains("a") : true',
      [
        { test: ">", names: ["command"] },
        { test: "contains", names: ["cmd"] },
      ],
    ],
  ])("is found, with the names that the text is built from, in %s", (condition, tests) => {
    expect(testsOf(condition)).toEqual(tests);
  });
});

describe("a condition about the text of a shell", () => {
  const names = ["command", "cmd", "commandLine", "command_line", "script", "shell", "shellCommand", "shell-command", "COMMAND"];

  it.each(names)("must not allow a call by a part of %s", (name) => {
    expect(objectionTo(`input["${name}"].contains("git")`, "allow")).toBe(
      `it looks at a part of the shell text "${name}" (contains), and a part does not tell what a shell will do: ` +
        `"git status; rm -rf /" begins with "git". Compare the whole text (${name} == "git status"), ` +
        `or use a tool that takes the program and its arguments apart (argv[0] == "git")`,
    );
  });

  it.each(["path", "query", "commands", "text", "argv"])("may allow a call by a part of %s, which is none", (name) => {
    expect(objectionTo(`input["${name}"].startsWith("git")`, "allow")).toBeUndefined();
  });

  it.each<[string, boolean]>([
    ['command.startsWith("rm")', true],
    ['command.indexOf("rm") == 0', true],
    ['command.lastIndexOf("rm") == 0', true],
    ['command.substring(0, 2) == "rm"', true],
    ['command.split(" ")[0] == "rm"', true],
    ['command < "rm"', true],
    ['command <= "rm"', true],
    ['command > "rm"', true],
    ['command >= "rm"', true],
    ['command.contains("rm")', false],
    ['command.endsWith("rm")', false],
    ['command.matches("rm")', false],
    ['"rm" in command', false],
    ['command == "rm"', false],
  ])("%s is refused for a rule that denies or asks: %s", (condition, isRefused) => {
    for (const effect of ["deny", "ask"] as const) expect(objectionTo(condition, effect) !== undefined, effect).toBe(isRefused);
    expect(objectionTo(condition, "allow") !== undefined).toBe(condition !== 'command == "rm"');
  });
});
