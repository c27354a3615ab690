import { isObject } from "@toolrack/json-schema/internal";
import { nodePath } from "#platform";
import { declaredPaths, pathPlaceOf } from "../../tool/path-place.ts";
import { isGovernedAs } from "../../tool/registered.ts";
import { describeThrown } from "../../tool/result.ts";
import { pathReadings } from "../../util/path-readings.ts";
import { compileDenial, compilePermission, type PathBase } from "./_pattern.ts";
import { coreToolGroups } from "../catalog/groups.ts";
import { toGroupName } from "../catalog/group-name.ts";
import type { PolicyTool } from "../policy.ts";
import { type PathResolver, toAbsolute } from "./resolve.ts";

/**
 * Which paths a tool may be given, and which files it may open. A pattern without a slash is matched against names: `deny` against every name in a path,
 * `allow` against the last one. A pattern with a slash is matched against the whole path, from the root or from the base of relative
 * paths, and includes everything below it. `*` matches anything, slashes included.
 */
export interface PathRule {
  /** A tool, a glob, a group or a plugin. */
  readonly tool: string;
  readonly deny?: readonly string[];
  readonly allow?: readonly string[];
  /**
   * The parameters that hold paths; "edits.path" is one inside of another. For a tool that runs programs a rule must name them, since
   * nothing else can be checked. @default those that the tool or its source declares, else `path`
   */
  readonly parameters?: readonly string[];
}

export interface PathFault {
  /** Completes "… is refused: …". */
  readonly reason: string;
  /** The pattern that the path matches. */
  readonly entry?: string;
}

/** How a call breaks a path rule, or undefined. What cannot be checked is refused. */
export function findPathFault(rule: PathRule, tool: PolicyTool, input: unknown, resolve: PathResolver): PathFault | undefined {
  if (!isEnforceable(rule, tool)) return { reason: notEnforceable };
  const parameters = rule.parameters ?? declaredPaths(tool) ?? ["path"];
  const texts = parameters.flatMap((parameter) => textsIn(valuesAt(input, parameter)));
  if (texts.length > maxPaths) return { reason: `the call names more than ${maxPaths} paths` };
  if (texts.length === 0 && rule.allow !== undefined) {
    const where = parameters.length === 0 ? "" : ` in ${parameters.join(", ")}`;
    return { reason: `only some paths are allowed, and the call names none${where}` };
  }
  if (texts.length === 0) return undefined;
  const check = compilePathRule(rule, resolve);
  for (const start of startsOf(tool)) {
    for (const text of texts) {
      const fault = checkText(text, check, resolve, start);
      if (fault) return fault;
    }
  }
  return undefined;
}

/** Where relative paths of the tool may start. Undefined: in the workspace. */
function startsOf(tool: PolicyTool): readonly (string | undefined)[] {
  const { folders = [], start } = pathPlaceOf(tool) ?? {};
  return folders.length > 0 ? folders : [start];
}

const notEnforceable =
  "a path rule cannot be enforced for a tool that runs programs; name other tools in the rule, or the parameters that it is about";

/** Whether a rule can be enforced for a tool that it names. If not, every call is refused. */
export function isEnforceable({ parameters }: PathRule, tool: PolicyTool): boolean {
  return parameters !== undefined || !runsPrograms(tool);
}

/** Programs can open any file: tools of `group:runtime`, and every tool that declares itself a member. */
function runsPrograms(tool: PolicyTool): boolean {
  return isGovernedAs(tool, isRuntimeTool) || (tool.metadata?.groups ?? []).some((group) => toGroupName(group) === "group:runtime");
}

const runtimeTools = coreToolGroups.get("group:runtime")!;
const isRuntimeTool = (name: string): boolean => runtimeTools.includes(name);

/** Checks one file against a rule: by all absolute paths that were given for it, and by its real paths. */
export type CheckPlace = (spelled: readonly string[], reached: readonly string[], shown: string) => PathFault | undefined;

/** Follows the links in the rule's patterns once, for all the paths of a call. Never throws: what cannot be checked is refused. */
export function compilePathRule({ deny = [], allow }: PathRule, resolve: PathResolver): CheckPlace {
  try {
    const location: PathBase = { start: resolve("."), resolve };
    const denials = deny.map((pattern) => ({ pattern, test: compileDenial(pattern, location) }));
    const permissions = allow?.map((pattern) => compilePermission(pattern, location));
    return (spelled, reached, shown) => {
      const denied = denials.find(({ test }) => spelled.some(test) || reached.some(test));
      if (denied !== undefined) return { reason: `the path ${show(shown)} leads to a denied location`, entry: denied.pattern };
      const isAllowed = permissions === undefined || reached.every((candidate) => permissions.some((test) => test(candidate)));
      return isAllowed ? undefined : { reason: `the path ${show(shown)} is not among the allowed ones` };
    };
  } catch (error) {
    return (_spelled, _reached, shown) => uncheckable(shown, error);
  }
}

/** Each path costs a few file system calls, so their number is limited. */
const maxPaths = 1_000;

function checkText(given: string, check: CheckPlace, resolve: PathResolver, from: string | undefined): PathFault | undefined {
  try {
    const readings = pathReadings(given);
    if (readings === undefined) return { reason: `the path ${show(given)} has too many possible readings` };
    const start = from ?? resolve(".");
    const absolute = readings.map((reading) => toAbsolute(reading, start));
    return check(
      absolute.map((one) => nodePath.resolve(one)),
      absolute.map(resolve),
      given,
    );
  } catch (error) {
    return uncheckable(given, error);
  }
}

function uncheckable(given: string, error: unknown): PathFault {
  return { reason: `the path ${show(given)} cannot be checked: ${describeThrown(error)}` };
}

function show(given: string): string {
  return JSON.stringify(given.length > 200 ? `${given.slice(0, 200)}…` : given);
}

/** "edits.path" in { edits: [{ path: "a" }, { path: "b" }] } → ["a", "b"]. Own properties only; lists are searched. */
function valuesAt(value: unknown, parameter: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, parameter));
  if (!isObject(value)) return [];
  if (Object.hasOwn(value, parameter)) return [value[parameter]];
  const dot = parameter.indexOf(".");
  const name = parameter.slice(0, dot);
  return dot !== -1 && Object.hasOwn(value, name) ? valuesAt(value[name], parameter.slice(dot + 1)) : [];
}

/** Every text within a path parameter counts as a path, however deep it lies. */
function textsIn(values: readonly unknown[]): string[] {
  const seen = new Set<unknown>(values);
  const texts: string[] = [];
  for (const value of seen) {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) seen.add(inner);
  }
  return texts;
}
