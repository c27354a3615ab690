import { describe, expect, it } from "vitest";
import { defineLintRule } from "../../src/lint/define-rule.ts";
import { lintTool, lintTools } from "../../src/lint/lint.ts";
import { good } from "./planted.ts";

const needsOwner = defineLintRule({
  id: "needs-owner",
  severity: "warning",
  finds: "Tools without an owner among their tags.",
  check({ metadata }, report) {
    const tags = Array.isArray(metadata["tags"]) ? metadata["tags"] : [];
    if (!tags.some((tag) => String(tag).startsWith("owner:")))
      report("/metadata/tags", "The tool has no owner.", 'Add a tag such as "owner:search".');
  },
});
const atMostOne = defineLintRule({
  id: "at-most-one",
  severity: "error",
  finds: "Lists of more than one tool.",
  checkList: (subjects, report) => subjects.slice(1).forEach((_subject, index) => report(index + 1, "One tool too many.", "Remove it.")),
});

describe("rules of one's own", () => {
  it("run beside the built-in ones", () => {
    expect(lintTool({ ...good, description: "" }, { rules: [needsOwner] }).map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["missing-description", "needs-owner"]),
    );
    expect(lintTools([good, { ...good, name: "other" }], { rules: [needsOwner, atMostOne] })).toMatchObject([
      { rule: "needs-owner", severity: "warning", tool: good.name, path: "/0/metadata/tags", fix: 'Add a tag such as "owner:search".' },
      { rule: "needs-owner", path: "/1/metadata/tags" },
      { rule: "at-most-one", severity: "error", tool: "other", path: "/1/name" },
    ]);
    expect(lintTool(good)).toEqual([]);
  });

  it("obey severities, as the built-in ones do", () => {
    const severities = { "needs-owner": "info", "missing-description": "off" } as const;
    expect(
      lintTool({ ...good, description: "" }, { rules: [needsOwner], severities }).filter(({ rule }) => rule in severities),
    ).toMatchObject([{ rule: "needs-owner", severity: "info" }]);
    const both = { rules: { "missing-description": "error" }, severities: { "missing-description": "info" } } as const;
    expect(lintTool({ ...good, description: "" }, both)).toContainEqual(
      expect.objectContaining({ rule: "missing-description", severity: "info" }),
    );
    expect(() => lintTool(good, { severities: { "needs-owner": "off" } })).toThrow('There is no lint rule "needs-owner"');
  });

  it("report no more about one tool than anyone reads", () => {
    const loud = defineLintRule({
      ...needsOwner,
      id: "loud",
      check: (_subject, report) => {
        for (;;) report("", "x", "y");
      },
    });
    expect(lintTool(good, { rules: [loud] })).toHaveLength(50);
  });

  it("that throw are named, with the tool, and do not run where they are switched off", () => {
    const broken = (): never => {
      throw new TypeError("x is undefined");
    };
    const rule = defineLintRule({ ...needsOwner, id: "broken", check: broken });
    expect(() => lintTool(good, { rules: [rule] })).toThrow(
      `Lint rule "broken" threw while it checked tool "${good.name}". Mend the rule, or switch it off with severities: { "broken": "off" }. It threw: x is undefined`,
    );
    expect(() => lintTool(good, { rules: [rule], severities: { broken: "off" } })).not.toThrow();
    const { check: _, ...described } = rule;
    expect(() => lintTools([good], { rules: [{ ...described, id: "broken-list", checkList: broken }] })).toThrow(
      'Lint rule "broken-list" threw while it checked a list of tools.',
    );
  });

  it.each([
    [{ id: "Needs Owner" }, 'Lint rule "Needs Owner": "id" must be words of lower-case letters'],
    [{ severity: "fatal" }, '"severity" must be one of error, warning, info'],
    [{ explainRefusal: true }, 'has the unknown field "explainRefusal". Did you mean "explainsRefusal"?'],
    [{ finds: " " }, '"finds" must be a sentence'],
    [{ checkList: () => undefined }, 'either "check" (one tool) or "checkList" (all tools of a list) must be a function'],
    [{ check: undefined }, 'either "check" (one tool) or "checkList" (all tools of a list) must be a function'],
    [{ id: "no-examples" }, 'Two lint rules have the id "no-examples"'],
  ])("are refused with %j, and the field is named", (fields, message) => {
    expect(() => lintTools([], { rules: [{ ...needsOwner, ...fields } as never] })).toThrow(message);
  });

  it("are refused before they run where they are defined, and cannot change after that", () => {
    expect(() => defineLintRule({ ...needsOwner, severity: "fatal" as never })).toThrow(
      'Lint rule "needs-owner": "severity" must be one of',
    );
    for (const given of [undefined, null, "needs-owner"])
      expect(() => defineLintRule(given as never)).toThrow("A lint rule: it must be an object with id, severity, finds and check");
    expect(Object.isFrozen(needsOwner)).toBe(true);
  });
});
