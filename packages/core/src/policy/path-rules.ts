import path from "node:path";
import { describeThrown } from "../tool/result.ts";
import { isObject, type JsonObject } from "../util/json.ts";
import { pathReadings } from "../util/path-readings.ts";
import { matchesAnywhere, matchesExactly, type PathPlace } from "./path-pattern.ts";
import type { PolicyTool } from "./policy.ts";
import { type PathResolver, toAbsolute } from "./resolve-path.ts";

/**
 * Which paths a tool may be given. A pattern without a slash is held against names: `deny` against every name in a path,
 * `allow` against the last one. A pattern with a slash is held against the whole path, from the root or from where relative
 * paths start, and means what lies below it too. `*` stands for anything, slashes included.
 */
export interface PathRule {
  /** A tool, a glob, a group or a plugin. */
  readonly tool: string;
  readonly deny?: readonly string[];
  readonly allow?: readonly string[];
  /** The parameters that hold paths; "edits.path" is one inside of another. @default the tool's `metadata.paths`, else `path` */
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
  const parameters = rule.parameters ?? tool.metadata?.paths ?? ["path"];
  const texts = parameters.flatMap((parameter) => textsIn(valuesAt(input, parameter)));
  if (texts.length > maxPaths) return { reason: `the call names more than ${maxPaths} paths` };
  if (texts.length === 0 && rule.allow !== undefined) {
    return { reason: `only some paths are allowed, and the call names none in ${parameters.join(", ")}` };
  }
  for (const text of texts) {
    const fault = checkPath(text, rule, resolve);
    if (fault) return fault;
  }
  return undefined;
}

/** Each path asks the disk a few times, so a call may not bring any number of them. */
const maxPaths = 1_000;

function checkPath(given: string, { deny = [], allow }: PathRule, resolve: PathResolver): PathFault | undefined {
  const shown = JSON.stringify(given.length > 200 ? `${given.slice(0, 200)}…` : given);
  try {
    const place: PathPlace = { start: resolve("."), resolve };
    const readings = pathReadings(given);
    if (readings === undefined) return { reason: `the path ${shown} can be read in too many ways` };
    const spelled = readings.map((reading) => path.resolve(toAbsolute(reading, place.start)));
    const reached = readings.map(resolve);
    const denied = deny.find((pattern) => [...spelled, ...reached].some((candidate) => matchesAnywhere(pattern, candidate, place)));
    if (denied !== undefined) return { reason: `the path ${shown} leads to a denied place`, entry: denied };
    const isAllowed = (candidate: string): boolean => allow!.some((pattern) => matchesExactly(pattern, candidate, place));
    return allow === undefined || reached.every(isAllowed) ? undefined : { reason: `the path ${shown} is not among the allowed ones` };
  } catch (error) {
    return { reason: `the path ${shown} cannot be checked: ${describeThrown(error)}` };
  }
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
