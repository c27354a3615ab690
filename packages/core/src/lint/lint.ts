import { nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { VendorTarget } from "../providers/providers.ts";
import type { Finding, LintRule, RuleDescription, SetRule, Severity } from "./rule.ts";
import { actionRules } from "./rules/action-rules.ts";
import { defaultMismatch } from "./rules/default-mismatch.ts";
import { definition } from "./rules/definition.ts";
import { deprecatedWithoutSuccessor } from "./rules/deprecated-without-successor.ts";
import { descriptionTooLong } from "./rules/description-too-long.ts";
import { descriptionTooShort } from "./rules/description-too-short.ts";
import { exampleMismatch } from "./rules/example-mismatch.ts";
import { missingDescription } from "./rules/missing-description.ts";
import { nameNoVendor } from "./rules/name-no-vendor.ts";
import { noExamples } from "./rules/no-examples.ts";
import { hiddenCharacters } from "./rules/hidden-characters.ts";
import { noUsageHint } from "./rules/no-usage-hint.ts";
import { nullableInsteadOfOptional } from "./rules/nullable-instead-of-optional.ts";
import { openObject } from "./rules/open-object.ts";
import { outputNotObject } from "./rules/output-not-object.ts";
import { parameterTwins } from "./rules/parameter-twins.ts";
import { pathParameter } from "./rules/path-parameter.ts";
import { pattern } from "./rules/pattern.ts";
import { propertyNamedFormat } from "./rules/property-named-format.ts";
import { reference } from "./rules/reference.ts";
import { requiredNotInProperties } from "./rules/required-not-in-properties.ts";
import { reservedParameter } from "./rules/reserved-parameter.ts";
import { union } from "./rules/union.ts";
import { unknownFormat } from "./rules/unknown-format.ts";
import { unknownParameter } from "./rules/unknown-parameter.ts";
import { vendorSchema } from "./rules/vendor-schema.ts";
import { duplicateName } from "./set-rules/duplicate-name.ts";
import { lookAlikeName } from "./set-rules/look-alike-name.ts";
import { tooManyTools } from "./set-rules/too-many-tools.ts";
import { type LintSubject, type LintSurroundings, readSubject } from "./subject.ts";

export interface LintOptions {
  /** Another severity for a rule, or "off": { "no-examples": "off" }. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  /** Documents that a `$ref` may name, by URI. Nothing is ever fetched. */
  readonly remotes?: Readonly<Record<string, unknown>>;
  /** Vendors that the tools are meant for: what one of them does not take as it is becomes a finding. @default none */
  readonly vendors?: readonly VendorTarget[];
}

function surroundings({ remotes = {}, vendors = [] }: LintOptions): LintSurroundings {
  return { remotes, vendors };
}

/** Looks over one tool, in any shape that can be registered. A value that is no tool at all gives a finding, too. */
export function lintTool(tool: unknown, options: LintOptions = {}): Finding[] {
  assertRules(options);
  return findingsOf(readSubject(tool, surroundings(options)), "", options);
}

/** Looks over each tool of a list, and at how they go together. */
export function lintTools(tools: readonly unknown[], options: LintOptions = {}): Finding[] {
  assertRules(options);
  const subjects = tools.map((tool) => readSubject(tool, surroundings(options)));
  const findings = subjects.flatMap((subject, index) => findingsOf(subject, `/${index}`, options));
  for (const rule of setRules) {
    rule.check(subjects, (index, message, fix, severity) => {
      const [tool, path] = index === undefined ? [undefined, ""] : [subjects[index]!.name, `/${index}/name`];
      add(findings, options, rule, { tool, path, message, fix, severity });
    });
  }
  return findings;
}

// Those that stop a tool from working come first.
const toolRules: readonly LintRule[] = [
  nameNoVendor,
  pattern,
  reference,
  requiredNotInProperties,
  reservedParameter,
  unknownParameter,
  exampleMismatch,
  defaultMismatch,
  hiddenCharacters,
  missingDescription,
  descriptionTooShort,
  descriptionTooLong,
  union,
  nullableInsteadOfOptional,
  propertyNamedFormat,
  parameterTwins,
  actionRules,
  pathParameter,
  unknownFormat,
  outputNotObject,
  deprecatedWithoutSuccessor,
  openObject,
  vendorSchema,
  noExamples,
  noUsageHint,
];
const setRules: readonly SetRule[] = [duplicateName, lookAlikeName, tooManyTools];

/** Every rule, for lists and documentation. */
export const lintRules: readonly RuleDescription[] = [...toolRules, definition, ...setRules].map(({ id, severity, finds }) => ({
  id,
  severity,
  finds,
}));

/** Of one rule and one tool: nobody reads more, and a hostile tool could have any number. */
const maxFindings = 50;
const enough = Symbol("enough findings");

function findingsOf(subject: LintSubject, prefix: string, options: LintOptions): Finding[] {
  const findings: Finding[] = [];
  const run = (rule: LintRule): void => {
    let count = 0;
    try {
      rule.check(subject, (path, message, fix, severity) => {
        add(findings, options, rule, { tool: subject.name, path: prefix + path, message, fix, severity });
        if (++count === maxFindings) throw enough;
      });
    } catch (error) {
      // A definition that cannot be registered may be broken in ways no rule foresees; it is reported as such below.
      if (error !== enough && subject.refusal === undefined) throw error;
    }
  };
  for (const rule of toolRules) run(rule);
  const explaining = toolRules.filter((rule) => rule.explainsRefusal).map((rule) => rule.id);
  if (!findings.some(({ rule, severity }) => severity === "error" && explaining.includes(rule))) run(definition);
  return findings;
}

type Found = Omit<Finding, "rule" | "severity" | "tool"> & { readonly tool: string | undefined; readonly severity: Severity | undefined };

function add(findings: Finding[], { rules = {} }: LintOptions, { id, severity }: RuleDescription, found: Found): void {
  const wanted = Object.hasOwn(rules, id) ? rules[id]! : (found.severity ?? severity);
  if (wanted === "off") return;
  const { tool, path, message, fix } = found;
  findings.push({ rule: id, severity: wanted, ...(tool !== undefined && { tool }), path, message, fix });
}

function assertRules({ rules = {} }: LintOptions): void {
  for (const id of Object.keys(rules)) {
    if (lintRules.some((rule) => rule.id === id)) continue;
    const near = nearestNames(
      id,
      lintRules.map((rule) => rule.id),
      1,
    )[0];
    throw new ToolError("CONFIG_INVALID", `There is no lint rule "${id}".${near === undefined ? "" : ` Did you mean "${near}"?`}`);
  }
}
