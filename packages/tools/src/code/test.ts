import { defineTool, type ToolDefinition } from "@toolrack/core";
import { joinOutput, runProgram, withNote } from "./_program.ts";
import type { CodePack } from "./options.ts";

interface TestInput {
  readonly type: "go" | "npm" | "python";
  readonly package?: string;
  readonly run?: string;
  readonly count?: number;
  readonly script?: string;
  readonly module?: string;
  readonly verbose: boolean;
}

export function createTest(pack: CodePack): ToolDefinition {
  const word = { type: "string", minLength: 1, maxLength: 500, pattern: "^[^-\\u0000][^\\u0000]*$" } as const; // never an option
  return defineTool({
    name: "test",
    title: "Run tests",
    description: withNote("Runs the tests of the workspace with go, npm or python, and says whether they passed.", pack),
    inputSchema: {
      type: "object",
      properties: {
        type: { type: "string", enum: ["go", "npm", "python"], description: "Which kind of project." },
        package: { ...word, description: "The Go package (default: ./...), or the Python file or folder." },
        run: { ...word, description: "go, python: only tests whose name matches." },
        count: { type: "integer", minimum: 1, maximum: 100, description: "go: the number of times to run each test." },
        script: { ...word, description: "npm: the script of package.json. By default test." },
        module: { ...word, pattern: "^[A-Za-z_][A-Za-z0-9_.]*$", description: "python: the module that runs tests. By default pytest." },
        verbose: { type: "boolean", default: false, description: "Show each test." },
      },
      required: ["type"],
      allOf: [only("go", ["package", "run", "count"]), only("npm", ["script"]), only("python", ["package", "run", "module"])],
    },
    outputSchema: {
      type: "object",
      properties: {
        passed: { type: "boolean" },
        exitCode: { type: "integer" },
        command: { type: "array", items: { type: "string" } },
        output: { type: "string" },
      },
      required: ["passed", "exitCode", "command", "output"],
    },
    metadata: {
      category: "build",
      optionality: "optional",
      usageHint: "Run after changes. Look at passed, not at the words of the output.",
      examples: [{ description: "Run the tests of an npm project", input: { type: "npm" }, usage: "result.passed" }],
      groups: ["runtime"],
      profiles: ["coding"],
      paths: ["package"],
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
      limits: { timeoutMs: pack.timeoutMs + 15_000, maxResultBytes: 512 * 1024 },
    },
    async handler(input: TestInput, { signal }) {
      const command = toArgv(input);
      const result = await runProgram(pack, command, { signal });
      const { exitCode } = result;
      const output = joinOutput(result);
      const passed = exitCode === 0;
      return {
        ok: true,
        content: `${passed ? "Passed" : `Failed, with exit code ${exitCode}`}: ${command.join(" ")}\n${output}`,
        data: { passed, exitCode, command, output },
        effects: [{ kind: "process", action: "run", target: command.join(" ") }],
      };
    },
  });
}

function only(type: TestInput["type"], names: readonly string[]): object {
  const allowed = ["type", "verbose", ...names];
  return {
    if: { properties: { type: { const: type } }, required: ["type"] },
    then: { properties: Object.fromEntries(allowed.map((name) => [name, {}])), additionalProperties: false },
  };
}

function toArgv({ type, package: place, run, count, script = "test", module = "pytest", verbose }: TestInput): [string, ...string[]] {
  switch (type) {
    case "go": {
      const options = [verbose ? ["-v"] : [], run === undefined ? [] : [`-run=${run}`], count === undefined ? [] : [`-count=${count}`]];
      return ["go", "test", ...options.flat(), place ?? "./..."];
    }
    case "npm":
      return ["npm", "run", ...(verbose ? [] : ["--silent"]), script];
    case "python":
      return [
        "python3",
        "-m",
        module,
        ...(verbose ? ["-v"] : []),
        ...(run === undefined ? [] : ["-k", run]),
        ...(place === undefined ? [] : [place]),
      ];
  }
}
