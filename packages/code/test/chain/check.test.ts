import { describe, expect, it } from "vitest";
import { type Chain, type ChainToolInfo, checkChain, chainToProgram } from "../../src/index.ts";

const infos: Record<string, ChainToolInfo> = {
  random: {
    inputSchema: {
      type: "object",
      properties: { min: { type: "number", default: 0 }, max: { type: "number" } },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        numbers: { type: "array", items: { type: "number" } },
        meta: { $ref: "#/$defs/meta" },
        either: { anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "null" }] },
      },
      $defs: { meta: { type: "object", properties: { seed: { type: "integer" } }, additionalProperties: false } },
    },
  },
  calculator: {
    inputSchema: {
      type: "object",
      properties: {
        expression: { type: "string", maxLength: 20 },
        digits: { type: "integer", default: 2 },
        mode: { enum: ["fast", "exact"] },
      },
      required: ["expression", "digits"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { result: { type: "number" } } },
  },
  list: {
    inputSchema: {
      type: "object",
      properties: { items: { type: "array", items: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } } },
    },
  },
  anything: {},
  remove: { destructive: true },
  upsert: { destructive: true, idempotent: true },
};
const options = { schemaOf: (tool: string) => (Object.hasOwn(infos, tool) ? infos[tool] : undefined), toolNames: () => Object.keys(infos) };
const problemsOf = (chain: unknown, more: object = {}): string[] =>
  checkChain(chain as Chain, { ...options, ...more }).problems.map(({ message }) => message);

const a = { id: "a", tool: "random", input: {} };
const sum = (expression: unknown, more: object = {}) => ({ id: "sum", tool: "calculator", input: { expression, ...more } });

describe("checkChain", () => {
  it("tells the levels and the tools of a chain that can run", () => {
    const chain = {
      steps: [sum("${a.numbers[0]} + ${b.numbers[0]}"), a, { ...a, id: "b" }, { id: "end", tool: "anything", dependsOn: ["sum", "a"] }],
    };
    expect(checkChain(chain, options)).toEqual({
      ok: true,
      problems: [],
      levels: [["a", "b"], ["sum"], ["end"]],
      edges: [
        ["a", "sum"],
        ["b", "sum"],
        ["sum", "end"],
        ["a", "end"],
      ],
      tools: ["calculator", "random", "anything"],
    });
  });

  it.each<[string, unknown, string]>([
    [
      "a circle",
      {
        steps: [
          { id: "a", tool: "anything", input: "${b.x}" },
          { id: "b", tool: "anything", dependsOn: ["c"] },
          { id: "c", tool: "anything", input: { z: ["${a.y}"] } },
        ],
      },
      'Step "a": "a" waits for "b" waits for "c" waits for "a". Take one of these references or dependsOn out.',
    ],
    [
      "a step that refers to itself",
      { steps: [{ id: "a", tool: "anything", input: "${a.x}" }] },
      'Step "a": ${a.x} refers to itself. Refer to a step that runs before it.',
    ],
    [
      "an unknown step",
      { steps: [a, sum("${c.numbers}")] },
      'Step "sum": ${c.numbers} refers to "c", which is not a step. The steps are "a", "sum"; the chain\'s own input is "input".',
    ],
    ["an unknown step in dependsOn", { steps: [{ ...a, dependsOn: ["zero"] }] }, 'Step "a": dependsOn names "zero", which is not a step.'],
    [
      "an unknown tool",
      { steps: [{ id: "a", tool: "calculater" }] },
      'Step "a": there is no tool "calculater". Did you mean "calculator"?',
    ],
    [
      "a secret",
      { steps: [sum("${secret.key}")] },
      "Secrets, settings and variables do not exist in a chain: the tool that needs one declares it.",
    ],
    ["a variable of the environment", { steps: [sum("${env.TOKEN}")] }, "Secrets, settings and variables do not exist in a chain"],
    [
      "a field that the producer does not have",
      { steps: [a, sum("${a.number}")] },
      'Step "sum": ${a.number}: the result of "random" has no field "number"; its fields are "numbers", "meta", "either". Refer to another field.',
    ],
    [
      "a field behind a reference of the schema",
      { steps: [a, sum("${a.meta.sead}")] },
      '${a.meta.sead}: a part of the result of "random" has no field "sead"; its fields are "seed".',
    ],
    ["a field of a number", { steps: [a, sum("${a.numbers[0].value}")] }, "is a number, which has no fields"],
    ["a field of a list", { steps: [a, sum("${a.numbers.first}")] }, "is a list: take one of its values by its number, such as [0]"],
    [
      "a list where a text is taken",
      { steps: [a, sum("${a.numbers}")] },
      'Step "sum": input.expression is a list (${a.numbers}), and "calculator" takes a text there. Refer to another value, or change the type.',
    ],
    [
      "a text where a whole number is taken",
      { steps: [a, sum("1", { digits: "${a.numbers[0]} digits" })] },
      'input.digits is a text, and "calculator" takes a whole number there.',
    ],
    [
      "a missing required input",
      { steps: [{ id: "sum", tool: "calculator", input: { mode: "${input.mode}" } }] },
      'Step "sum": input.expression is missing, and "calculator" requires it. Add it: a value, or a reference such as "${input.expression}".',
    ],
    ["a missing required input without references", { steps: [{ id: "sum", tool: "calculator" }] }, "expression"],
    [
      "a parameter that the tool does not have",
      { steps: [a, sum("${a.numbers[0]} ", { digit: 1 })] },
      '"calculator" has no parameter input.digit. Did you mean "digits"?',
    ],
    [
      "a value that the tool does not take",
      { steps: [a, sum("${a.numbers[0]} ", { mode: "slow" })] },
      'input.mode does not match what "calculator" takes',
    ],
    [
      "a wrong value deep in a list",
      { steps: [a, { id: "b", tool: "list", input: { items: [{ n: "${a.numbers[0]}" }, { n: "${a.meta}" }, { m: "${a.meta}" }] } }] },
      'input.items[1].n is an object (${a.meta}), and "list" takes a number there.',
    ],
    [
      "retries of what must not be repeated",
      { steps: [{ id: "a", tool: "remove", retries: 1 }] },
      '"remove" is destructive and not idempotent, so it must not be called again after a failure. Take retries out.',
    ],
    [
      "a reference that is none",
      { steps: [sum("${1 + 2}")] },
      'Step "sum": input.expression: "${1 + 2}" is not a reference. Write it like "${step.field}" or "${input.name}"; for the text itself, write "\\${".',
    ],
    ["an open reference", { steps: [a, sum("${a.numbers")] }, "is not a reference"],
    ["two steps of one id", { steps: [a, a] }, 'Step "a": Two steps have this id.'],
    ["an id that is the input", { steps: [{ ...a, id: "input" }] }, "is the name of the chain's own input"],
    ["an id with a dot", { steps: [{ ...a, id: "a.b" }] }, 'The id "a.b" of step 1 must be 1 to 64 letters, digits, _ or -.'],
    ["a return of nothing", { steps: [a], returnStep: "b" }, 'returnStep names "b", which is not a step. The steps are "a".'],
    ["an unknown field of a step", { steps: [{ ...a, outputMapping: {} }] }, '"outputMapping" is not a field of a step.'],
    ["an unknown field of a chain", { steps: [a], parallel: true }, '"parallel" is not a field of a chain.'],
    ["a tool that is chosen by a value", { steps: [a, { id: "b", tool: "${a.numbers}" }] }, "tool must be the name of a tool"],
    ["too many retries", { steps: [{ ...a, retries: 11 }] }, "retries must be a whole number from 0 to 10"],
    ["retries that are no number", { steps: [{ ...a, retries: "2" }] }, "retries must be a whole number from 0 to 10"],
    ["dependsOn that is no list", { steps: [{ ...a, dependsOn: "b" }] }, "dependsOn must be a list of ids of steps"],
    [
      "more calls than a program may make",
      { steps: Array.from({ length: 10 }, (_, n) => ({ ...a, id: `a${n}`, retries: 5 })) },
      "the chain could make 60 calls; at most 50 can be made",
    ],
    ["no steps", { steps: [] }, "A chain needs a list of steps"],
    ["no chain", "a", "A chain needs a list of steps"],
  ])("refuses %s", (_, chain, message) => {
    expect(problemsOf(chain).join("\n")).toContain(message);
  });

  it.each<[string, unknown]>([
    ["a number for a whole number, which it may be", { steps: [a, sum("1", { digits: "${a.numbers[0]}" })] }],
    ["a value that may be null", { steps: [a, sum("x${a.either.a}")] }],
    ["results without a schema", { steps: [{ id: "x", tool: "anything" }, sum("${x.any.thing[0]}")] }],
    ["a length", { steps: [a, sum("1", { digits: "${a.numbers.length}" })] }],
    ["a default for what is required", { steps: [sum("1")] }],
    ["a destructive tool that may be repeated", { steps: [{ id: "a", tool: "upsert", retries: 2 }] }],
  ])("lets %s be", (_, chain) => {
    expect(problemsOf(chain)).toEqual([]);
  });

  it("compares references to the input with the schema of the input", () => {
    const inputSchema = {
      type: "object",
      properties: { text: { type: "string" }, n: { type: "number", default: 1 } },
      additionalProperties: false,
    };
    expect(problemsOf({ steps: [sum("${input.test}")] }, { inputSchema })).toEqual([
      'Step "sum": ${input.test}: the input of the chain has no field "test"; its fields are "text", "n". Add it to inputSchema, or refer to another field.',
    ]);
    expect(problemsOf({ steps: [sum("${input.text}")] }, { inputSchema })).toEqual([
      'Step "sum": input.expression is required by "calculator", and ${input.text} may be left out by callers. Add "text" to required of inputSchema, or give it a default.',
    ]);
    expect(
      problemsOf({ steps: [sum("${input.text}", { digits: "${input.n}" })] }, { inputSchema: { ...inputSchema, required: ["text"] } }),
    ).toEqual([]);
    expect(problemsOf({ steps: [sum("${input.n}")] }, { inputSchema })[0]).toContain("input.expression is a number (${input.n})");
  });
});

describe("a hostile chain", () => {
  const deep = (levels: number): unknown => {
    let value: unknown = "${a.x}";
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  it.each<[string, unknown, string]>([
    [
      "10,000 steps",
      { steps: Array.from({ length: 10_000 }, (_, n) => ({ id: `s${n}`, tool: "anything", input: `\${s${n + 1}.x}` })) },
      "The chain has 10000 steps; at most 50 can run",
    ],
    ["a reference of 10,000 fields", { steps: [a, sum(`\${a${".x".repeat(10_000)}}`)] }, "goes more than 64 fields deep"],
    ["an input that is nested 10,000 deep", { steps: [a, sum(deep(10_000))] }, "is nested more than 64 deep"],
    ["a field __proto__", { steps: [a, sum("${a.__proto__.polluted}")] }, '"__proto__" is not a field of any result'],
    ["a quoted field __proto__", { steps: [a, sum('${a["__proto__"]}')] }, '"__proto__" is not a field of any result'],
    [
      "a key __proto__",
      JSON.parse('{"steps":[{"id":"a","tool":"anything","input":{"__proto__":{"polluted":true}}}]}'),
      'has the key "__proto__"',
    ],
    ["a key with a reference", { steps: [{ id: "a", tool: "anything", input: { "${b.x}": 1 } }] }, "has a key with a reference"],
    ["a function as input", { steps: [{ id: "a", tool: "anything", input: { f: () => 1 } }] }, "input.f is not JSON"],
    ["steps that are no objects", { steps: [null, 5, "a", []] }, "The id of step 1"],
  ])("with %s is refused", (_, chain, message) => {
    expect(problemsOf(chain).join("\n")).toContain(message);
    expect(() => chainToProgram(chain as Chain)).toThrow(TypeError);
    expect("polluted" in {}).toBe(false);
  });

  it("may call its steps __proto__ and constructor, which are ordinary ids", async () => {
    const steps = [
      { id: "__proto__", tool: "anything", input: { x: 1 } },
      { id: "constructor", tool: "anything", input: { y: "${__proto__.x}" } },
    ];
    expect(checkChain({ steps, returnStep: "constructor" }, options)).toMatchObject({ ok: true, levels: [["__proto__"], ["constructor"]] });
    const { runChain } = await import("../../src/index.ts");
    expect(await runChain({ steps }, { tools: { anything: async (input: unknown) => input } })).toMatchObject({
      ok: true,
      value: { y: 1 },
    });
  });

  it("is read in linear time: many openings, backslashes and circles of schemas cost nothing", () => {
    const loop = {
      inputSchema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      outputSchema: { anyOf: [{ $ref: "#" }] },
    };
    const text = "\\".repeat(200_000) + "\\${".repeat(50_000);
    expect(
      checkChain(
        {
          steps: [
            { id: "a", tool: "x", input: { text } },
            { id: "b", tool: "x", input: "${a.b.c.d}" },
          ],
        },
        { schemaOf: () => loop as never },
      ),
    ).toMatchObject({ ok: true });
  });
});
