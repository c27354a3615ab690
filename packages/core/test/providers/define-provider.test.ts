import { describe, expect, it } from "vitest";
import { adaptSchema } from "../../src/providers/adapt/adapt.ts";
import { nodePass } from "../../src/providers/adapt/pass.ts";
import { looseSchema } from "../../src/providers/adapt/presets.ts";
import { schemaPasses } from "../../src/providers/adapt/schema-passes.ts";
import { defineProvider } from "../../src/providers/define-provider.ts";
import { chatLimits, chatWire } from "../../src/providers/format/chat.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { providerFor, providerTargets } from "../../src/providers/providers.ts";
import { chatRules } from "../../src/providers/rules/common.ts";
import { checkVendorSchema } from "../../src/providers/rules/rules.ts";
import { vendorRules } from "../../src/providers/rules/vendor-rules.ts";
import { readCalls, writeChoice, writeResults } from "../../src/providers/wire/calls.ts";
import { exportTools } from "../../src/providers/wire/export.ts";
import { fitTools } from "../../src/fit-tools.ts";
import { lintTool } from "../../src/lint/lint.ts";
import { exportDeferred, writeFoundTools } from "../../src/providers/wire/deferred.ts";
import { providerContract } from "../../src/testing/provider-contract.ts";
import { toolNamed } from "./tools.ts";

const schema = { type: "object", properties: { tags: { type: "array", items: { type: "string" }, uniqueItems: true } } };
const fields: Provider<"acme"> = {
  name: "acme",
  wire: chatWire({ declare: ({ name, schema: parameters }) => ({ acme: name, parameters }) }),
  limits: chatLimits,
  schema: { ...looseSchema, passes: [...looseSchema.passes, schemaPasses.dropKeywords(["uniqueItems"])] },
  rules: [...chatRules, vendorRules.notKeywords("uniqueItems")],
};
const acme = defineProvider(fields);
const reply = { choices: [{ message: { tool_calls: [{ id: "1", function: { name: "tag", arguments: '{"tags":["a"]}' } }] } }] };

describe("a vendor of one's own", () => {
  for (const check of providerContract(acme, { replies: [{ reply, calls: [{ name: "tag", input: { tags: ["a"] } }] }] }))
    it(check.name, check.run);

  it("is taken wherever the name of a built-in one is", () => {
    const exported = exportTools([toolNamed("tag", schema)], acme);
    expect(exported.target).toBe(acme);
    expect(exported.tools).toEqual([
      {
        acme: "tag",
        parameters: { type: "object", properties: { tags: { type: "array", items: { type: "string" }, description: "No item twice." } } },
      },
    ]);
    expect(exported.losses).toMatchObject([{ tool: "tag", path: "/properties/tags", keyword: "uniqueItems" }]);
    expect(adaptSchema(schema, acme).losses).toMatchObject([{ keyword: "uniqueItems" }]);
    expect(checkVendorSchema(schema, acme)).toEqual([
      { path: "/properties/tags", keyword: "uniqueItems", message: "uniqueItems is not supported" },
    ]);
    expect(readCalls(reply, acme)).toEqual([{ id: "1", name: "tag", wireName: "tag", input: { tags: ["a"] } }]);
    expect(readCalls(reply, exported)).toEqual(readCalls(reply, acme));
    expect(writeResults(readCalls(reply, acme), [], acme)).toMatchObject([{ role: "tool", tool_call_id: "1" }]);
    expect(writeChoice({ tool: "tag" }, exported)).toEqual({ tool_choice: { type: "function", function: { name: "tag" } } });
    expect(lintTool(toolNamed("tag", schema), { vendors: [acme] })).toContainEqual(
      expect.objectContaining({ rule: "vendor-schema", message: "acme: uniqueItems is not supported." }),
    );
  });

  it("leaves a tool out that breaks one of its rules, and says so", () => {
    const strict = defineProvider({ ...acme, schema: looseSchema });
    expect(exportTools([toolNamed("tag", schema)], strict).diagnostics).toMatchObject([
      { tool: "tag", severity: "error", message: expect.stringContaining("acme would refuse its schema") as string },
    ]);
  });

  it("may be a plain object with the same fields", () => {
    expect(exportTools([toolNamed("tag", schema)], { ...fields }).text).toBe(exportTools([toolNamed("tag", schema)], acme).text);
  });

  it("does not share what is remembered with another of the same name", () => {
    const tools = Object.freeze([toolNamed("tag", schema)]);
    const other = defineProvider({ ...acme, wire: chatWire({ declare: ({ name }) => ({ other: name }) }) });
    expect(exportTools(tools, acme)).toBe(exportTools(tools, acme));
    expect(exportTools(tools, other).tools).toEqual([{ other: "tag" }]);
    expect(exportTools(tools, acme).tools).toMatchObject([{ acme: "tag" }]);
  });

  it("may have a pass, a strict mode, a budget and aliases", () => {
    const noTitles = nodePass(["title"], (node) => {
      const { title: _, ...rest } = node;
      return rest;
    });
    const own = defineProvider({
      ...acme,
      schema: { ...looseSchema, passes: [...looseSchema.passes, noTitles] },
      rules: chatRules,
      strict: { schema: { passes: [...looseSchema.passes, schemaPasses.keepKeywords(["type", "properties", "items"])] }, rules: chatRules },
      limits: { ...chatLimits, strict: { tools: 1, optional: 9, unions: 9 } },
      aliases: true,
    });
    const tool = toolNamed(
      "a",
      { type: "object", title: "T", properties: { p: { type: "string", minLength: 1 } } },
      { aliases: { path: "p" } },
    );
    expect(adaptSchema(tool.inputSchema, own).schema).not.toHaveProperty("title");
    expect(adaptSchema(tool.inputSchema, own, { strict: true })).toMatchObject({ strict: true, losses: [{ keyword: "minLength" }] });
    const exported = exportTools([tool, toolNamed("b")], own, { strict: true });
    expect(exported.diagnostics).toMatchObject([{ tool: "b", code: "not-strict" }]);
    const loose = exportTools([tool], own);
    expect(loose.text).toContain('"path"');
    expect(loose.decode("a", { path: "x" })).toEqual({ p: "x" });
  });

  it("is what a budget counts with, apart from others of its name", () => {
    const tools = Object.freeze([toolNamed("a"), toolNamed("b")]);
    const wordy = defineProvider({ ...acme, wire: chatWire({ declare: ({ name }) => ({ name, text: "word ".repeat(500) }) }) });
    expect(fitTools(tools, acme).budget.tokens).toBeLessThan(100);
    expect(fitTools(tools, wordy).budget.tokens).toBeGreaterThan(500);
    expect(fitTools(tools, acme)).toBe(fitTools(tools, acme));
  });

  it("decides for which models a tool is exported", () => {
    const tool = toolNamed("a", schema, { models: ["acme/large-*"] });
    expect(exportTools([tool], acme, { model: "large-2" }).tools).toHaveLength(1);
    expect(exportTools([tool], defineProvider({ ...acme, name: "acme-eu" }), { model: "large-2" }).tools).toHaveLength(0);
    expect(exportTools([tool], defineProvider({ ...acme, name: "acme-eu", vendor: "acme" }), { model: "large-2" }).tools).toHaveLength(1);
  });

  it("may have a search for deferred tools", () => {
    const tools = [toolNamed("a"), toolNamed("b")];
    const search = defineProvider({
      ...acme,
      wire: {
        ...acme.wire,
        declare: ({ name, deferred }) => ({ name, later: deferred === true }),
        toolSearch: { tool: { type: "find" }, writeFound: ({ names, declarations, callId }) => ({ names, declarations, callId }) },
      },
    });
    const exported = exportDeferred(tools, [], search);
    expect(exported.tools).toEqual([{ type: "find" }, { name: "a", later: true }, { name: "b", later: true }]);
    expect(writeFoundTools(["b"], exported, "1")).toEqual({ names: ["b"], declarations: [{ name: "b", later: true }], callId: "1" });
    expect(() => writeFoundTools(["b"], exportTools([], acme), "1")).toThrow("acme has no search for deferred tools");
  });
});

describe("defineProvider", () => {
  it("freezes the value, and leaves a defined one as it is", () => {
    expect(Object.isFrozen(acme) && Object.isFrozen(acme.wire) && Object.isFrozen(acme.rules)).toBe(true);
    expect(defineProvider(acme)).toBe(acme);
    for (const target of providerTargets) expect(providerFor(providerFor(target))).toBe(providerFor(target));
  });

  it("freezes every part of its own copy, and leaves what it was given as it was", () => {
    const given = {
      ...fields,
      limits: { ...chatLimits },
      schema: { ...looseSchema },
      strict: { schema: { ...looseSchema }, rules: [...chatRules] },
    };
    const { limits, schema: loose, strict } = defineProvider(given);
    expect([limits, loose, strict, strict?.schema, strict?.rules].filter((part) => !Object.isFrozen(part))).toEqual([]);
    expect([given, given.limits, given.schema, given.strict, given.strict.schema, given.strict.rules].filter(Object.isFrozen)).toEqual([]);
  });

  it.each([
    ["no object", undefined, "A provider must be an object with name, vendor, wire"],
    ["no name", { ...fields, name: "" }, 'A provider: "name" must be a text that is not empty, not "".'],
    ["a missing part", { ...fields, wire: undefined }, 'Provider "acme": "wire" must be an object with declare, frame'],
    [
      "a missing method",
      { ...fields, wire: { ...acme.wire, readCalls: undefined } },
      '"wire.readCalls" must be a function, and is missing.',
    ],
    ["an unknown field", { ...fields, wires: {} }, 'Provider "acme" has the unknown field "wires". Did you mean "wire"?'],
    [
      "an unknown field inside",
      { ...fields, limits: { ...chatLimits, tool: 3 } },
      'unknown field "limits.tool". Did you mean "limits.tools"?',
    ],
    ["a name that is no expression", { ...fields, limits: { ...chatLimits, name: "^a$" } }, '"limits.name" must be a regular expression'],
    ["an expression with a memory", { ...fields, limits: { ...chatLimits, name: /^\w+$/g } }, "without the flags g and y"],
    ["an expression that sticks", { ...fields, limits: { ...chatLimits, name: /^[\w-]+$/y } }, "without the flags g and y"],
    [
      "a limit of no tools",
      { ...fields, limits: { ...chatLimits, tools: 0 } },
      '"limits.tools" must be a whole number of 1 or more, not 0.',
    ],
    ["a flag that is a text", { ...fields, aliases: "no" }, '"aliases" must be true or false, not a text.'],
    [
      "an unknown start",
      { ...fields, schema: { ...looseSchema, start: "raw" } },
      '"schema.start" must be "normal" or "as-written", not "raw".',
    ],
    ["a rule of two kinds", { ...fields, rules: [{ whole: () => undefined, node: () => undefined }] }, '"rules" must be a list of rules'],
    ["inherited fields", Object.create(fields), '"name" must be a text that is not empty, and is missing.'],
    [
      "a name too short to be unique",
      { ...fields, limits: { name: /^\w{1,20}$/, nameLength: 20 } },
      '"limits.nameLength" must be a whole number of 40 or more',
    ],
    [
      "names that it would refuse itself",
      { ...fields, limits: { name: /^[a-z]+$/, nameLength: 64 } },
      '"limits.name" must accept names of letters',
    ],
    [
      "passes that are no functions",
      { ...fields, schema: { passes: ["plainRoot"] } },
      '"schema.passes" must be a list of functions, not a list of others.',
    ],
    ["rules of no kind", { ...fields, rules: [{}] }, '"rules" must be a list of rules'],
    [
      "an unknown field of the strict schema",
      { ...fields, strict: { schema: { ...looseSchema, pass: [] }, rules: chatRules } },
      'unknown field "strict.schema.pass". Did you mean "strict.schema.passes"?',
    ],
    [
      "a strict mode without rules",
      { ...fields, strict: { schema: looseSchema } },
      '"strict.rules" must be a list of rules, each { whole(schema, report) } or { node(node, report, root) }, and is missing.',
    ],
  ])("refuses %s, and names the field", (_what, given, message) => {
    expect(() => defineProvider(given as never)).toThrow(message);
    expect(() => exportTools([], given as never)).toThrow();
  });
});

describe("the contract of vendors", () => {
  const failing = async (provider: Provider): Promise<string[]> => {
    const failed: string[] = [];
    for (const check of providerContract(provider, { replies: [{ reply, calls: [{ name: "tag", input: { tags: ["a"] } }] }] }))
      await check.run().catch(() => failed.push(check.name.replace(`${provider.name}: `, "")));
    return failed;
  };

  it.each<[string, Partial<Provider>, string]>([
    ["a schema that it refuses itself", { rules: [vendorRules.notKeywords("type")] }, "makes only schemas that it accepts"],
    [
      "a pass that narrows",
      { schema: { ...looseSchema, passes: [...looseSchema.passes, (given) => ({ ...given, required: ["zzz"] })] } },
      "keeps every valid value, there and back",
    ],
    [
      "a reader that throws",
      { wire: chatWire({ readCalls: (given) => (given as { choices: [] }).choices.map(() => ({ id: "", name: "", input: {} })) }) },
      "finds no call in what is not a reply",
    ],
    [
      "a reader that finds nothing",
      { wire: chatWire({ readCalls: () => [] }) },
      "reads the calls of its replies, each under an id of its own",
    ],
    [
      "answers in another order",
      { wire: chatWire({ writeResults: (answers) => acme.wire.writeResults(answers.toReversed()) }) },
      "answers each call once, in the order of the calls",
    ],
    [
      "declarations that are not data",
      { wire: chatWire({ declare: ({ name }) => ({ name, at: new Date(0) }) }) },
      "exports every tool, as plain data and as the same bytes every time",
    ],
  ])("finds %s", async (_what, change, check) => {
    expect(await failing(defineProvider({ ...acme, ...change }))).toContain(check);
  });
});
