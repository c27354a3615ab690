import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { type Ended, run } from "./_run.ts";

const lamp = `name: "lamp", description: "Switches the lamp of a room on."`;
const room = `room: { type: "string", description: "The room." }`;

const files = {
  "bad.mjs": `
    export const send = {
      name: "send", description: "Sends a message to a person.",
      inputSchema: {
        type: "object",
        properties: {
          to: { type: "string" },
          format: { type: "string", description: "How it looks." },
          when: { type: ["string", "number"], description: "The time." },
        },
        required: ["to", "body"],
      },
      metadata: { examples: [{ description: "Hello", input: { to: 5, body: "Hello" } }] },
      handler: () => "sent",
    };
    export const other = 5;
  `,
  "good.mjs": `
    export default [{
      ${lamp}, inputSchema: { type: "object", properties: { ${room} }, required: ["room"], additionalProperties: false },
      metadata: { usageHint: "When it is dark.", examples: [{ description: "Hall", input: { room: "hall" } }] },
      handler: ({ room }) => room,
    }];
  `,
  "drift.mjs": `
    import { writeFileSync } from "node:fs";
    export default {
      ${lamp}, inputSchema: { type: "object", properties: { ${room} } },
      metadata: { examples: [{ description: "Hall", input: { room: "hall" } }] },
      handler: (input) => { writeFileSync(new URL("ran", import.meta.url), ""); return input.rooms; },
    };
  `,
  "helper.mjs": `
    const brightnessOf = (given) => given.brightness;
    export default {
      ${lamp}, inputSchema: { type: "object", properties: { ${room} } },
      metadata: { examples: [{ description: "Hall", input: { room: "hall" } }] },
      handler: (input) => String(brightnessOf(input)),
    };
  `,
  "examples.mjs": `
    const tool = (name, example, handler, more = {}) => ({
      name, description: "Switches the lamp of a room on.", inputSchema: { type: "object", properties: { ${room} } },
      outputSchema: { type: "object", properties: { rooms: { type: "array" } }, required: ["rooms"] },
      metadata: { examples: [{ description: "Hall", input: { room: "hall" }, ...example }], ...more }, handler,
    });
    export default [
      tool("right", { output: { rooms: ["hall"] }, usage: "result.rooms[0]" }, ({ room }) => ({ rooms: [room] })),
      tool("breaks", {}, () => { throw new Error("The fuse blew."); }),
      tool("differs", { output: { rooms: ["attic"] } }, ({ room }) => ({ rooms: [room] })),
      tool("misfits", {}, () => ({ lamps: 1 })),
      tool("nowhere", { usage: "result.rooms[3]" }, ({ room }) => ({ rooms: [room] })),
      tool("demolish", {}, () => { throw new Error("It ran."); }, { annotations: { destructive: true } }),
    ];
  `,
  "refused.mjs": `
    import { defineTool } from ${JSON.stringify(import.meta.resolve("@toolrack/core"))};
    export default defineTool({ name: "lamp", description: "Switches it on.", inputSchema: { type: "strin" }, handler: () => "" });
  `,
  "broken.mjs": `export default missing;\n`,
  "empty.mjs": `export const size = 5;\n`,
  "notes.txt": "Not code.",
};

async function lintIn(folder: string, ...words: string[]): Promise<Ended> {
  return run(["lint", ...words], { folder });
}

/** "lamp error drift /handler" for each finding. */
function shortly(ended: Ended): readonly string[] {
  const { findings } = ended.json() as { findings: { tool?: string; severity: string; rule: string; path: string }[] };
  return findings.map(({ tool = "", severity, rule, path }) => `${tool} ${severity} ${rule} ${path}`);
}

describe("lint of a file that no server knows", () => {
  // row: A20
  it("fails, and prints the rule, the path and the fix of each planted defect", async () => {
    const folder = temporaryFolder(files);
    const { code, output } = await lintIn(folder, "bad.mjs");
    expect(code).toBe(1);
    for (const [rule, path, fix] of [
      ["missing-description", "/inputSchema/properties/to/description", "Say what it means"],
      ["union", "/inputSchema/properties/when/type", "Take the one"],
      ["property-named-format", "/inputSchema/properties/format", "Name it after"],
      ["required-not-in-properties", "/inputSchema/required/1", 'Describe "body" under properties'],
      ["example-mismatch", "/metadata/examples/0/input/to", "Correct the example"],
    ]) {
      const [, found] =
        new RegExp(`^send {2}(?:error|warning|info) {2}${rule} {2}${path}\\n {2}\\S.*\\n {2}Fix: (.*)$`, "m").exec(output) ?? [];
      expect(found, `${rule} in ${output}`).toContain(fix);
    }
    expect(output).toMatch(/^1 tool in bad\.mjs, \d+ findings$/m);
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(files).toSorted());
  });

  it("succeeds for a good file, and answers as JSON", async () => {
    const folder = temporaryFolder(files);
    expect(await lintIn(folder, "./good.mjs")).toMatchObject({ code: 0, output: "1 tool in good.mjs, no findings.\n" });
    expect((await lintIn(folder, join(folder, "good.mjs"), "--json")).json()).toEqual({
      file: join(folder, "good.mjs"),
      tools: 1,
      findings: [],
    });
  });

  it("says what is wrong with a file that cannot be read", async () => {
    const folder = temporaryFolder(files);
    expect(await lintIn(folder, "absent.mjs")).toMatchObject({
      code: 4,
      errors: expect.stringContaining("There is no file absent.mjs") as string,
    });
    expect(await lintIn(folder, "./notes.txt")).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/notes\.txt.*\.ts, \.mts/) as string,
    });
    expect(await lintIn(folder, "empty.mjs")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("exports no tools, but size") as string,
    });
    expect(await lintIn(folder, "broken.mjs")).toMatchObject({
      code: 1,
      errors: expect.stringContaining("broken.mjs:1:16 ReferenceError") as string,
    });
  });

  it("checks definitions in JSON: of MCP, of model APIs, of records, in either spelling, with paths of the file", async () => {
    const bad = { type: "object", properties: { to: { type: "string" } }, required: ["to", "body"] };
    const definition = (name: string, schema: object) => ({ name, description: "Sends a message to a person.", ...schema });
    const folder = temporaryFolder({
      "mcp.json": JSON.stringify({ tools: [definition("send", { inputSchema: bad })] }),
      "answer.json": JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: [definition("send", { inputSchema: bad })] } }),
      "list.jsonc": `// What the program sends.\n${JSON.stringify([
        { type: "function", function: definition("chat", { parameters: bad }) },
        { type: "function", ...definition("responses", { parameters: bad }) },
        definition("messages", { input_schema: bad }),
        {
          ...definition("seed", { input_schema: bad }),
          usage_hint: "For people.",
          examples: [{ description: "x", input: { to: 5, body: "" } }],
        },
        { ...definition("server", { inputSchema: { type: "object" } }), annotations: { readOnlyHint: true } },
        { type: "custom", ...definition("typed", { input_schema: bad }) },
        { ...definition("own", { inputSchema: bad }), metadata: { usage_hint: "For people." }, category: 5 },
        definition("none", {}),
        5,
      ])}`,
      "record.json": JSON.stringify({
        schema_name: "tool.definition.v1",
        context: {
          ...definition("stored", { inputSchema: { ...bad, required: ["to"] } }),
          usage_hint: "For people.",
          examples: [{ description: "One", input: { to: 5 } }],
        },
      }),
      "outputs.json": JSON.stringify(
        ["outputSchema", "output_schema"].map((field) => definition(field, { inputSchema: { type: "object" }, [field]: { type: "txt" } })),
      ),
      // Those of a record are ours; those of MCP, above, have names of their own.
      "annotated.json": JSON.stringify({
        schema_name: "tool.definition.v1",
        context: { ...definition("annotated", { inputSchema: { type: "object" } }), annotations: { readOnlyHint: true } },
      }),
    });
    const errorsIn = async (file: string) => {
      const ended = await lintIn(folder, file, "--json");
      return [ended.code, ...shortly(ended).filter((one) => one.includes(" error "))];
    };
    for (const file of ["mcp.json", "answer.json"])
      expect(await errorsIn(file)).toEqual([1, "send error required-not-in-properties /0/inputSchema/required/1"]);
    expect(await errorsIn("./list.jsonc")).toEqual([
      1,
      "chat error required-not-in-properties /0/function/parameters/required/1",
      "responses error required-not-in-properties /1/parameters/required/1",
      "messages error required-not-in-properties /2/input_schema/required/1",
      "seed error required-not-in-properties /3/input_schema/required/1",
      "seed error example-mismatch /3/examples/0/input/to",
      "typed error required-not-in-properties /5/input_schema/required/1",
      "own error required-not-in-properties /6/inputSchema/required/1",
      "none error definition /7",
      " error missing-description /8/description",
      " error definition /8",
    ]);
    expect(await errorsIn("record.json")).toEqual([1, "stored error example-mismatch /0/context/examples/0/input/to"]);
    expect(await errorsIn("outputs.json")).toEqual([1, "outputSchema error definition /0", "output_schema error definition /1"]);
    expect(await errorsIn("annotated.json")).toEqual([1, "annotated error definition /0/context"]);
    const ended = await lintIn(folder, "record.json", "--ci");
    expect(ended.output).not.toContain("no-usage-hint");
    const hinted = shortly(await lintIn(folder, "list.jsonc", "--json")).filter((one) => one.includes("no-usage-hint"));
    expect(hinted.map((one) => one.split(" ")[0])).toEqual(["chat", "responses", "messages", "server", "typed", "none", ""]);
    expect(hinted[0]).toBe("chat info no-usage-hint /0/function/metadata/usageHint");
    expect(ended.output).toMatch(/^1 tool in record\.json, \d+ findings?$/m);
  });

  it("says what is wrong with a JSON file", async () => {
    const folder = temporaryFolder({
      "client.json": JSON.stringify({ mcpServers: { a: { command: "x" } } }),
      "other.json": "{}",
      "broken.json": '[{\n"name": }]',
      "open.json": "[".repeat(200_000),
      "tools.json": "[]",
      "hosted.json": '[{"type":"web_search"}]',
      "deep.json": `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    });
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    for (const [words, code, message] of [
      [["absent.json"], 4, "There is no file absent.json."],
      [["client.json"], 2, "client.json names servers, not tools. To look at what their tools say: toolrack scan client.json --connect"],
      [["other.json"], 2, "other.json has no definitions of tools."],
      [["broken.json"], 2, "broken.json:2 is no JSON: value expected."],
      [["open.json"], 2, "open.json is no JSON."],
      [["tools.json"], 2, "tools.json has no definitions of tools."],
      [["hosted.json"], 2, "hosted.json has no definitions of tools."],
      [["deep.json"], 2, "deep.json is nested deeper than 500 levels."],
      [["pipe.json"], 2, "pipe.json is no regular file."],
      [["--run-examples", "tools.json"], 2, "--run-examples runs handlers, and tools.json has none. Leave it out."],
    ] as const)
      expect(await lintIn(folder, ...words)).toMatchObject({ code, output: "", errors: expect.stringContaining(message) as string });
  });

  it("reads tools beside an empty list of servers", async () => {
    const tools = [{ name: "read_note", description: "Reads a note, by its id, as text.", inputSchema: { type: "object" } }];
    const folder = temporaryFolder({ "client.json": JSON.stringify({ mcpServers: {}, tools }), "empty.json": '{"mcpServers":{}}' });
    expect((await lintIn(folder, "client.json", "--json")).json()).toMatchObject({ tools: 1 });
    expect((await lintIn(folder, "empty.json")).errors).toContain("empty.json names servers, not tools.");
  });

  it("reads JSON with comments, trailing commas and a byte order mark, and tools that vendors run are not its business", async () => {
    const tools = `\uFEFF[
      { "type": "web_search", }, // run by OpenAI
      { "type": "bash_20250124", "name": "bash" },
      /* takes none */ { "type": "function", "function": { "name": "now", "description": "Tells the time, [in UTC,] now.", }, },
    ]`;
    const folder = temporaryFolder({ "TOOLS.JSON": tools });
    const ended = await lintIn(folder, "TOOLS.JSON", "--json");
    expect(ended.json()).toMatchObject({
      tools: 1,
      findings: [{ tool: "now", rule: "no-usage-hint" }],
    });
  });

  it("shows names of a file on one line, and numbers what has none", async () => {
    const tool = { description: "Does what it does, and says so.", inputSchema: { type: "object" } };
    const name = "x\n1 tool in a.json, no findings.";
    const folder = temporaryFolder({ "a.json": JSON.stringify([{ ...tool, name }, tool, { ...tool, name: "y".repeat(5_000) }]) });
    const { output } = await lintIn(folder, "a.json");
    expect(output).not.toMatch(/^1 tool/m);
    expect(output).toMatch(/^x 1 tool in a\.json, no findings\. {2}error {2}name-no-vendor/m);
    expect(output).toMatch(/^a\.json {2}error {2}definition {2}\/1\n {2}The tool has no name\./m);
    expect(Math.max(...output.split("\n").map(({ length }) => length))).toBeLessThan(500);
  });

  it("reads a parameter by any name as what it is", async () => {
    const schema = '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}';
    const folder = temporaryFolder({ "a.json": `[{"name":"odd","description":"Does what it does.","inputSchema":${schema}}]` });
    const ended = await lintIn(folder, "a.json", "--json");
    expect(shortly(ended)).toContain("odd warning missing-description /0/inputSchema/properties/__proto__/description");
    expect(ended.output).not.toContain("required-not-in-properties");
  });

  it("reports a definition that was refused while the file was loaded as a finding", async () => {
    const ended = await lintIn(temporaryFolder(files), "refused.mjs");
    expect(ended.code).toBe(1);
    expect(ended.output).toMatch(/error {2}definition\n.*"lamp".*"strin"[^]*Fix: /);
  });
});

describe("lint --ci", () => {
  // row: A21
  it("fails where a handler reads a parameter that its schema does not have, without running it", async () => {
    const folder = temporaryFolder(files);
    expect((await lintIn(folder, "drift.mjs")).code).toBe(0);
    const { code, output } = await lintIn(folder, "--ci", "drift.mjs");
    expect(code).toBe(1);
    expect(output).toMatch(/^lamp {2}error {2}drift {2}\/handler\n {2}The handler reads "rooms".*\n {2}Fix: Did you mean "room"\?/m);
    expect(existsSync(join(folder, "ran"))).toBe(false);
    expect((await lintIn(folder, "--ci", "good.mjs")).code).toBe(0);
  });

  it("finds the same in modules of the configuration", async () => {
    const folder = temporaryFolder({ ...files, "toolrack.config.yaml": "tools:\n  modules: [./drift.mjs]\nstore: { memory: true }\n" });
    expect((await lintIn(folder)).code).toBe(0);
    const drift = await lintIn(folder, "--ci", "--json");
    expect(drift.code).toBe(1);
    expect(shortly(drift).filter((one) => one.includes("drift"))).toEqual([expect.stringMatching(/^lamp error drift \/\d+\/handler$/)]);
    expect((await lintIn(folder, "--ci", "lamp")).output).toMatch(/^lamp {2}error {2}drift {2}\/handler$/m);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

describe("lint --run-examples", () => {
  // row: A21
  it("runs the examples of a file, and tells those that fail, misfit or differ; destructive tools are not run", async () => {
    const ended = await lintIn(temporaryFolder(files), "--run-examples", "examples.mjs", "--json");
    expect(ended.code).toBe(1);
    expect(shortly(ended).filter((one) => / example-(failed|output|skipped) /.test(one))).toEqual([
      "breaks error example-failed /1/metadata/examples/0",
      "differs warning example-output /2/metadata/examples/0/output",
      "misfits error example-output /3/metadata/examples/0",
      "nowhere error example-output /4/metadata/examples/0/usage",
      "demolish info example-skipped /5/metadata/examples",
    ]);
    expect(ended.output).toContain("The fuse blew.");
    expect(ended.output).not.toContain("It ran.");
  });

  it("notices what a helper of the handler reads", async () => {
    const folder = temporaryFolder(files);
    expect((await lintIn(folder, "--ci", "helper.mjs")).code).toBe(0);
    const ended = await lintIn(folder, "--ci", "--run-examples", "helper.mjs", "--json");
    expect(ended.code).toBe(1);
    expect(shortly(ended)).toContain("lamp error drift /0/handler");
    expect(
      shortly(await lintIn(folder, "--ci", "--run-examples", "drift.mjs", "--json")).filter((one) => one.includes("drift")),
    ).toHaveLength(1);
  });

  it("calls the tools of the configuration, and each call is recorded", async () => {
    const config = "tools:\n  modules: [./examples.mjs]\n  packs: { utility: false, sessions: false }\nstore: { sqlite: rack.db }\n";
    const folder = temporaryFolder({ ...files, "toolrack.config.yaml": config });
    const ended = await lintIn(folder, "--run-examples", "--json");
    expect(ended.code).toBe(1);
    const found = shortly(ended).filter((one) => / example-(failed|output|skipped) /.test(one));
    expect(found.map((one) => one.replace(/ \/\d+/, " "))).toEqual([
      "breaks error example-failed /metadata/examples/0",
      "differs warning example-output /metadata/examples/0/output",
      "misfits error example-output /metadata/examples/0",
      "nowhere error example-output /metadata/examples/0/usage",
      "demolish info example-skipped /metadata/examples",
    ]);
    const { calls } = (await run(["calls", "--json"], { folder })).json() as { calls: { tool: string }[] };
    expect(calls.map(({ tool }) => tool).toSorted()).toEqual(["breaks", "differs", "misfits", "nowhere", "right"]);
    expect((await lintIn(folder, "--run-examples", "right", "--json")).code).toBe(0);
  });

  it("does not call a tool whose calls need a person's approval, or that is destructive: nobody waits for an answer", async () => {
    const config =
      "tools:\n  modules: [./examples.mjs]\n  packs: { utility: false, sessions: false }\npolicy: { tools: { ask: [right] } }\n";
    const folder = temporaryFolder({ ...files, "toolrack.config.yaml": config });
    const ended = await lintIn(folder, "--run-examples", "--json");
    const { findings } = ended.json() as { findings: { tool: string; rule: string; message: string }[] };
    const skipped = findings.filter(({ rule }) => rule === "example-skipped");
    expect(skipped).toMatchObject([
      { tool: "right", message: "The examples were not run, because each call needs a person's approval." },
      { tool: "demolish", message: "The examples were not run, because it is destructive." },
    ]);
    const { calls } = (await run(["calls", "--json"], { folder })).json() as { calls: { tool: string }[] };
    expect(calls.map(({ tool }) => tool).filter((tool) => tool === "right" || tool === "demolish")).toEqual([]);
  });
});
