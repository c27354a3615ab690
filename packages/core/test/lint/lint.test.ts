import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { lintRules, lintTool } from "../../src/lint/lint.ts";
import type { Finding } from "../../src/lint/rule.ts";
import { described, good, planted, withMetadata, withProperties } from "./planted.ts";

describe("lintTool", () => {
  it("finds nothing in a good tool", () => {
    expect(lintTool(good)).toEqual([]);
  });

  it.each(planted)("%s finds %s", (rule, _fault, tool, path, severity, message) => {
    const findings = lintTool(tool);
    const found = findings.find((finding) => finding.rule === rule && finding.path === path);
    expect(found, JSON.stringify(findings)).toMatchObject({ severity, message: expect.stringContaining(message) as string });
    expect(found!.fix).not.toBe("");
  });

  it("finds nothing else in most of the faulty tools", () => {
    const alone = planted.filter(([rule, , tool]) => lintTool(tool).every((finding) => finding.rule === rule));
    expect(alone.length / planted.length).toBeGreaterThan(0.85);
  });

  it("plants a fault for every rule about one tool that needs no options", () => {
    const rules = lintRules
      .map((rule) => rule.id)
      .filter((id) => !["vendor-schema", "duplicate-name", "look-alike-name", "too-many-tools"].includes(id));
    expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(rules));
  });

  it("gives every rule an id of its own and a sentence", () => {
    expect(new Set(lintRules.map((rule) => rule.id)).size).toBe(lintRules.length);
    for (const { id, finds } of lintRules) expect(`${id}: ${finds}`).toMatch(/^[a-z-]+: [A-Z].*\.$/);
  });
});

describe("what the rules leave alone", () => {
  const condition = JSON.parse(
    '{ "if": { "properties": { "action": { "const": "replace" } }, "required": ["action"] }, "then": { "required": ["limit"] } }',
  ) as Record<string, unknown>;

  it.each([
    ["a parameter described by the schema it refers to", withProperties({ a: { $ref: "#/$defs/a" } }, { $defs: { a: described } })],
    ["conditions per action", withProperties({ action: { ...described, enum: ["find", "replace"] } }, { allOf: [condition] })],
    ["a condition that requires what the schema around it describes", withProperties({ action: described }, condition)],
    [
      "a map with keys that must be there",
      withProperties({ env: { ...described, type: "object", additionalProperties: { type: "string" }, required: ["HOME"] } }),
    ],
    ["a listed path", { ...withProperties({ path: described }), metadata: { ...good.metadata, paths: ["path"] } }],
    [
      "a JSON path, a link and a mode of files",
      withProperties({ json_path: described, folder: { ...described, format: "uri" }, file: { ...described, enum: ["a"] } }),
    ],
    ["a parameter whose only type is null", withProperties({ nothing: { ...described, type: "null" } })],
    [
      "references by anchor and into the whole",
      withProperties(
        { a: { ...described, $ref: "#one" }, b: { ...described, $ref: "#/properties/a" } },
        { $defs: { one: { $anchor: "one", ...described } } },
      ),
    ],
  ])("is silent about %s", (_case, tool) => {
    expect(lintTool(tool)).toEqual([]);
  });

  it("takes a document that is handed in for known", () => {
    const tool = withProperties({ a: { ...described, $ref: "https://example.org/a.json", default: "x" } });
    const remotes = { "https://example.org/a.json": { type: "string" } };
    expect(lintTool(tool, { remotes })).toEqual([]);
    expect(lintTool(withProperties({ a: { ...described, $ref: "https://example.org/a.json", default: 5 } }), { remotes })).toMatchObject([
      { rule: "default-mismatch" },
    ]);
  });

  it("checks defaults below references and odd names", () => {
    const tool = withProperties(
      { "a/b %#": { ...described, $ref: "#/$defs/a~1b", default: 5 } },
      { $defs: { "a/b": { type: "string", description: "x" } } },
    );
    expect(lintTool(tool)).toMatchObject([{ rule: "default-mismatch", path: "/inputSchema/properties/a~1b %#/default" }]);
  });
});

describe("the shapes that lintTool takes", () => {
  it("looks into tools of other libraries, classes and Standard Schemas", () => {
    const parameters = { type: "object", properties: { format: described } };
    const paths = (tool: unknown): string[] =>
      lintTool(tool)
        .filter(({ rule }) => rule === "property-named-format")
        .map(({ path }) => path);
    expect(paths({ name: "a", description: "x", parameters, execute: () => "" })).toEqual(["/parameters/properties/format"]);
    expect(paths({ name: "a", description: "x", parametersSchema: parameters, execute: () => "" })).toEqual([
      "/parametersSchema/properties/format",
    ]);
    expect(paths({ name: "a", description: "x", inputSchema: z.object({ format: z.string() }), handler: () => "" })).toEqual([
      "/inputSchema/properties/format",
    ]);
  });

  it("runs the patterns that Zod writes", () => {
    const inputSchema = z.object({
      mail: z.email().describe("x"),
      id: z.uuid().describe("x"),
      when: z.iso.duration().describe("x"),
      face: z.emoji().describe("x"),
    });
    const findings = lintTool({ ...good, inputSchema, metadata: { usageHint: "x" } });
    expect(findings.filter(({ rule }) => rule === "pattern" || rule === "definition")).toEqual([]);
  });

  it.each([undefined, null, 5, "tool", [], {}, () => "", new Date()])("says of %s that it is no tool", (value) => {
    expect(
      lintTool(value)
        .filter(({ severity }) => severity === "error")
        .map(({ rule }) => rule),
    ).toContain("definition");
  });

  it("never throws, whatever it is given", () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true, withSparseArray: true });
    fc.assert(fc.property(anything, (value) => isWellFormed(lintTool(value))));
  });

  it("never throws on a tool with anything in any place", () => {
    const places: string[][] = [];
    const collect = (value: unknown, way: string[]): void => {
      places.push(way);
      if (typeof value === "object" && value !== null)
        for (const key of Object.keys(value)) collect((value as Record<string, unknown>)[key], [...way, key]);
    };
    const rich = withProperties(
      { a: { ...described, $ref: "#/$defs/x", anyOf: [{ type: "null" }], enum: ["a"], examples: ["a"], pattern: "a" } },
      { $defs: { x: {} }, if: {}, allOf: [{}] },
    );
    const tool = {
      ...rich,
      version: "1.0.0",
      metadata: { ...good.metadata, paths: ["a"], aliases: { b: "a" }, deprecated: { since: "1.0.0" } },
    };
    collect(tool, []);
    const property = fc.property(fc.constantFrom(...places.filter((way) => way.length > 0)), fc.anything(), (way, value) => {
      const copy = structuredClone({ ...tool, handler: undefined }) as Record<string, unknown>;
      copy["handler"] = good.handler;
      let target = copy;
      for (const key of way.slice(0, -1)) target = target[key] as Record<string, unknown>;
      target[way.at(-1)!] = value;
      return isWellFormed(lintTool(copy));
    });
    fc.assert(property, { numRuns: sized(150, 500) });
  });

  it("never throws on circular, endless and hostile tools", () => {
    const circular: Record<string, unknown> = { type: "object" };
    circular["properties"] = { self: circular };
    let deep: object = {};
    for (let index = 0; index < 5_000; index++) deep = { properties: { a: deep } };
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        has: () => {
          throw new Error("no");
        },
      },
    );
    for (const inputSchema of [circular, deep, hostile]) expect(isWellFormed(lintTool({ ...good, inputSchema }))).toBe(true);
    expect(isWellFormed(lintTool(hostile))).toBe(true);
  });

  it("stays linear on huge tools, and stops at fifty findings of one rule", () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `parameter_number_${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { default: 5, type: "string" }]));
    const start = cpuTime();
    const findings = lintTool(withProperties(properties, { required: names.map((name) => `${name}x`) }));
    expect(cpuTime() - start).toBeLessThan(20_000);
    for (const rule of ["default-mismatch", "required-not-in-properties", "missing-description"]) {
      expect(findings.filter((finding) => finding.rule === rule)).toHaveLength(50);
    }
  });

  it("does not change the tool", () => {
    const before = structuredClone({ ...good, handler: undefined });
    lintTool(good);
    expect({ ...good, handler: undefined }).toEqual(before);
  });
});

describe("the options of lintTool", () => {
  it("turn a rule off, or change how grave it is", () => {
    const tool = withMetadata({ usageHint: "" });
    expect(lintTool(tool)).toMatchObject([{ rule: "no-usage-hint", severity: "info" }]);
    expect(lintTool(tool, { rules: { "no-usage-hint": "error" } })).toMatchObject([{ severity: "error" }]);
    expect(lintTool(tool, { rules: { "no-usage-hint": "off" } })).toEqual([]);
  });

  it("refuse a rule that does not exist", () => {
    const attempt = (): unknown => lintTool(good, { rules: { "no-example": "off" } });
    expect(attempt).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining('Did you mean "no-examples"?') as string }),
    );
    expect(() => lintTool(good, { rules: { constructor: "off" as const } })).toThrow("no lint rule");
  });
});

function isWellFormed(findings: readonly Finding[]): boolean {
  return findings.every(({ rule, severity, path, message, fix }) => {
    const isKnown = lintRules.some(({ id }) => id === rule) && ["error", "warning", "info"].includes(severity);
    return isKnown && (path === "" || path.startsWith("/")) && message !== "" && fix !== "";
  });
}
