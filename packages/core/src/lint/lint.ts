import { nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { VendorTarget } from "../providers/providers.ts";
import { describeThrown } from "../tool/result.ts";
import { assertLintRule } from "./define-rule.ts";
import type { Finding, LintRule, ListRule, RuleDescription, Severity, ToolRule } from "./rule.ts";
import { actionRules } from "./rules/action-rules.ts";
import { defaultMismatch } from "./rules/default-mismatch.ts";
import { definition } from "./rules/definition.ts";
import { deprecated } from "./rules/deprecated.ts";
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
import { duplicateName } from "./list-rules/duplicate-name.ts";
import { lookAlikeName } from "./list-rules/look-alike-name.ts";
import { tooManyTools } from "./list-rules/too-many-tools.ts";
import { type LintSubject, type LintSurroundings, readSubject } from "./subject.ts";

export interface LintOptions {
  /** Rules of your own, beside the built-in ones. (A record of severities is taken here, too: `severities` is its name now.) */
  readonly rules?: readonly LintRule[] | Readonly<Record<string, Severity | "off">>;
  /** Another severity for a rule, or "off": { "no-examples": "off" }. */
  readonly severities?: Readonly<Record<string, Severity | "off">>;
  /** Documents that a `$ref` may name, by URI. Nothing is ever fetched. */
  readonly remotes?: Readonly<Record<string, unknown>>;
  /** Vendors that the tools are meant for: what one of them does not take as it is becomes a finding. @default none */
  readonly vendors?: readonly VendorTarget[];
}

/** The options of one run, read once. */
interface LintRun {
  readonly tool: readonly ToolRule[];
  readonly list: readonly ListRule[];
  readonly severities: Readonly<Record<string, Severity | "off">>;
  readonly surroundings: LintSurroundings;
}

/** Checks one tool, in any shape that can be registered. A value that is no tool at all gives a finding, too. */
export function lintTool(tool: unknown, options: LintOptions = {}): Finding[] {
  const run = readOptions(options);
  return findingsOf(readSubject(tool, run.surroundings), "", run);
}

/** Checks each tool of a list, and how they go together. */
export function lintTools(tools: readonly unknown[], options: LintOptions = {}): Finding[] {
  const run = readOptions(options);
  const subjects = tools.map((tool) => readSubject(tool, run.surroundings));
  const findings = subjects.flatMap((subject, index) => findingsOf(subject, `/${index}`, run));
  for (const rule of run.list) {
    if (isOff(rule, run)) continue;
    try {
      rule.checkList(subjects, (index, message, fix, severity) => {
        const [tool, path] = index === undefined ? [undefined, ""] : [subjects[index]?.name, `/${index}/name`];
        add(findings, run, rule, { tool, path, message, fix, severity });
      });
    } catch (error) {
      throw ruleThrew(rule, "a list of tools", error);
    }
  }
  return findings;
}

// Those that stop a tool from working come first.
const toolRules: readonly ToolRule[] = [
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
  deprecated,
  deprecatedWithoutSuccessor,
  openObject,
  vendorSchema,
  noExamples,
  noUsageHint,
];
const listRules: readonly ListRule[] = [duplicateName, lookAlikeName, tooManyTools];

/** Every built-in rule, for lists and documentation. */
export const lintRules: readonly RuleDescription[] = [...toolRules, definition, ...listRules].map(({ id, severity, finds }) => ({
  id,
  severity,
  finds,
}));

function readOptions({ rules = [], severities = {}, remotes = {}, vendors = [] }: LintOptions): LintRun {
  const own = isListOfRules(rules) ? rules : [];
  own.forEach(assertLintRule);
  const known = new Set(lintRules.map(({ id }) => id));
  for (const { id } of own) {
    if (known.has(id)) throw new ToolError("CONFIG_INVALID", `Two lint rules have the id "${id}". Give yours another one.`);
    known.add(id);
  }
  const changed = isListOfRules(rules) ? severities : { ...rules, ...severities };
  for (const id of Object.keys(changed)) if (!known.has(id)) throw noSuchRule(id, known);
  return {
    tool: [...toolRules, ...own.filter((rule) => "check" in rule)],
    list: [...listRules, ...own.filter((rule) => "checkList" in rule)],
    severities: changed,
    surroundings: { remotes, vendors },
  };
}

function isListOfRules(rules: NonNullable<LintOptions["rules"]>): rules is readonly LintRule[] {
  return Array.isArray(rules);
}

/** Findings of one rule about one tool: nobody reads more, and a hostile tool could have any number. */
const maxFindings = 50;
const enough = Symbol("enough findings");

function findingsOf(subject: LintSubject, prefix: string, run: LintRun): Finding[] {
  const findings: Finding[] = [];
  const apply = (rule: ToolRule): void => {
    if (isOff(rule, run)) return;
    let count = 0;
    try {
      rule.check(subject, (path, message, fix, severity) => {
        add(findings, run, rule, { tool: subject.name, path: prefix + path, message, fix, severity });
        if (++count === maxFindings) throw enough;
      });
    } catch (error) {
      // A definition that cannot be registered may be broken in ways no rule expects; it is reported as such below.
      if (error === enough || subject.refusal !== undefined) return;
      throw ruleThrew(rule, subject.name === undefined ? "a tool without a name" : `tool "${subject.name}"`, error);
    }
  };
  for (const rule of run.tool) apply(rule);
  const explaining = run.tool.filter((rule) => rule.explainsRefusal).map((rule) => rule.id);
  if (!findings.some(({ rule, severity }) => severity === "error" && explaining.includes(rule))) apply(definition);
  return findings;
}

function isOff({ id }: RuleDescription, { severities }: LintRun): boolean {
  return Object.hasOwn(severities, id) && severities[id] === "off";
}

function ruleThrew({ id }: RuleDescription, subject: string, error: unknown): ToolError {
  const fact = `Lint rule "${id}" threw while it checked ${subject}.`;
  const next = `Mend the rule, or switch it off with severities: { "${id}": "off" }.`;
  return new ToolError("CONFIG_INVALID", `${fact} ${next} It threw: ${describeThrown(error)}`, { cause: error });
}

type Found = Omit<Finding, "rule" | "severity" | "tool"> & { readonly tool: string | undefined; readonly severity: Severity | undefined };

function add(findings: Finding[], { severities }: LintRun, { id, severity }: RuleDescription, found: Found): void {
  const wanted = Object.hasOwn(severities, id) ? severities[id]! : (found.severity ?? severity);
  if (wanted === "off") return;
  const { tool, path, message, fix } = found;
  findings.push({ rule: id, severity: wanted, ...(tool !== undefined && { tool }), path, message, fix });
}

function noSuchRule(id: string, known: Iterable<string>): ToolError {
  const [near] = nearestNames(id, known, 1);
  return new ToolError("CONFIG_INVALID", `There is no lint rule "${id}".${near === undefined ? "" : ` Did you mean "${near}"?`}`);
}
