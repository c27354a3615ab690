import path from "node:path";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { describeThrown } from "../../tool/result.ts";
import { pathReadings } from "../../util/path-readings.ts";
import { coreToolGroups } from "../catalog/groups.ts";
import { toGroupName } from "../catalog/group-name.ts";
import { compileDenial, compilePermission, type PathPlace } from "./_pattern.ts";
import type { PolicyTool } from "../policy.ts";
import { type PathResolver, toAbsolute } from "./resolve.ts";

/**
 * Which paths a tool may be given, and which files it may open. A pattern without a slash is held against names: `deny` against every name in a path,
 * `allow` against the last one. A pattern with a slash is held against the whole path, from the root or from where relative
 * paths start, and means what lies below it too. `*` stands for anything, slashes included.
 */
export interface PathRule {
  /** A tool, a glob, a group or a plugin. */
  readonly tool: string;
  readonly deny?: readonly string[];
  readonly allow?: readonly string[];
  /**
   * The parameters that hold paths; "edits.path" is one inside of another. For a tool that runs programs a rule must name them, since
   * it can be held against nothing else. @default the tool's `metadata.paths`, else `path`
   */
  readonly parameters?: readonly string[];
}

export interface PathFault {
  /** Completes "… is refused, because …". */
  readonly reason: string;
  /** The pattern that the path matches. */
  readonly entry?: string;
}

/** How a call breaks a path rule, or undefined. What cannot be checked is refused. */
export function findPathFault(rule: PathRule, tool: PolicyTool, input: JsonObject, resolve: PathResolver): PathFault | undefined {
  if (!isEnforceable(rule, tool)) return { reason: notEnforceable };
  const parameters = rule.parameters ?? tool.metadata?.paths ?? ["path"];
  const texts = parameters.flatMap((parameter) => textsIn(valuesAt(input, parameter)));
  if (texts.length > maxPaths) return { reason: `the call names more than ${maxPaths} paths` };
  if (texts.length === 0 && rule.allow !== undefined) {
    const where = parameters.length === 0 ? "" : ` in ${parameters.join(", ")}`;
    return { reason: `only some paths are allowed, and the call names none${where}` };
  }
  if (texts.length === 0) return undefined;
  const check = compilePathRule(rule, resolve);
  for (const text of texts) {
    const fault = checkText(text, check, resolve);
    if (fault) return fault;
  }
  return undefined;
}

const notEnforceable =
  "a path rule cannot be enforced for a tool that runs programs; name other tools in the rule, or the parameters that it is about";

/** Whether a rule can be held against calls of a tool that it is about. Where it cannot, every call is refused. */
export function isEnforceable({ parameters }: PathRule, tool: PolicyTool): boolean {
  return parameters !== undefined || !runsPrograms(tool);
}

/** Programs open what they like: those of `group:runtime`, and whatever else says that it belongs there. */
function runsPrograms({ name, metadata }: PolicyTool): boolean {
  return (
    coreToolGroups.get("group:runtime")!.includes(name) || (metadata?.groups ?? []).some((group) => toGroupName(group) === "group:runtime")
  );
}

/** What one rule says about a place: under all the absolute paths that it was named by, and those that it really has. */
export type CheckPlace = (spelled: readonly string[], reached: readonly string[], shown: string) => PathFault | undefined;

/** Follows the links in the rule's patterns once, for all the paths of a call. Never throws: what cannot be told is refused. */
export function compilePathRule({ deny = [], allow }: PathRule, resolve: PathResolver): CheckPlace {
  try {
    const place: PathPlace = { start: resolve("."), resolve };
    const denials = deny.map((pattern) => ({ pattern, test: compileDenial(pattern, place) }));
    const permissions = allow?.map((pattern) => compilePermission(pattern, place));
    return (spelled, reached, shown) => {
      const denied = denials.find(({ test }) => spelled.some(test) || reached.some(test));
      if (denied !== undefined) return { reason: `the path ${show(shown)} leads to a denied place`, entry: denied.pattern };
      const isAllowed = permissions === undefined || reached.every((candidate) => permissions.some((test) => test(candidate)));
      return isAllowed ? undefined : { reason: `the path ${show(shown)} is not among the allowed ones` };
    };
  } catch (error) {
    return (_spelled, _reached, shown) => uncheckable(shown, error);
  }
}

/** Each path asks the disk a few times, so a call may not bring any number of them. */
const maxPaths = 1_000;

function checkText(given: string, check: CheckPlace, resolve: PathResolver): PathFault | undefined {
  try {
    const readings = pathReadings(given);
    if (readings === undefined) return { reason: `the path ${show(given)} can be read in too many ways` };
    const start = resolve(".");
    const spelled = readings.map((reading) => path.resolve(toAbsolute(reading, start)));
    return check(spelled, readings.map(resolve), given);
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

/** "edits.path" in { edits: [{ path: "a" }, { path: "b" }] } → ["a", "b"]. Own properties only; lists are gone through. */
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
