import type { ToolAnnotations, ToolLimits } from "@toolrack/core";
import { isObject, jsonEquals } from "@toolrack/core/internal";
import { type JsonSchema, validatorFor } from "@toolrack/json-schema";
import { pointerOf } from "@toolrack/json-schema/internal";
import type { ParameterOverlay, SourcePathsConfig, ToolOverlay } from "../../config/overlay.ts";

export interface MergeOptions {
  /**
   * Where `over` counts although it allows more: JSON pointers into the overlay. Anywhere else the tighter of both counts, and what `over` leaves
   * out stays in any case.
   */
  readonly mayLoosen: readonly string[] | "everything";
  /** Limits of the server for what the tool itself does not limit. */
  readonly limits?: ToolLimits;
}

/** One overlay over another: texts are replaced, groups added, and whatever restricts a call is kept, or made tighter. */
export function mergeOverlays(base: ToolOverlay, over: ToolOverlay, { mayLoosen, limits = {} }: MergeOptions): ToolOverlay {
  const may = (pointer: string): boolean =>
    mayLoosen === "everything" || mayLoosen.some((one) => one === pointer || one.startsWith(`${pointer}/`));
  const { hidden: _, parameters: _parameters, ...rest } = { ...base, ...over };
  const names = new Set([base, over].flatMap(({ parameters = {} }) => Object.keys(parameters)));
  const parameters = [...names]
    .map(
      (name) =>
        [name, mergeParameter(own(base.parameters, name), own(over.parameters, name), may(pointerOf(["parameters", name])))] as const,
    )
    .filter(([, parameter]) => Object.keys(parameter).length > 0);
  const isHidden = over.hidden === true || (base.hidden === true && !(may("/hidden") && over.hidden === false));
  const groups = [...new Set([...(base.groups ?? []), ...(over.groups ?? [])])];
  return {
    ...rest,
    ...(isHidden && { hidden: true }),
    ...(groups.length > 0 && { groups }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    ...((base.paths ?? over.paths) && { paths: mergePaths(base.paths, over.paths, may("/paths")) }),
    ...((base.limits ?? over.limits) && { limits: mergeLimits({ ...among(limits, over.limits), ...base.limits }, over.limits, may) }),
    ...((base.annotations ?? over.annotations) && { annotations: mergeAnnotations(base.annotations, over.annotations, may) }),
  };
}

/** Where `after` allows what `before` does not, as JSON pointers into the overlay. */
export function loosenedBy(before: ToolOverlay, after: ToolOverlay, limits: ToolLimits = {}): readonly string[] {
  const parameters = Object.entries(before.parameters ?? {}).flatMap(([name, restriction]) =>
    loosenedIn(restriction, own(after.parameters, name) ?? {}).map((field) => pointerOf(["parameters", name, field])),
  );
  const said = { ...among(limits, after.limits), ...before.limits };
  const groups = after.groups ?? [];
  return [
    ...(before.hidden === true && after.hidden !== true ? ["/hidden"] : []),
    ...parameters,
    ...(before.paths !== undefined && !isWithin(before.paths, after.paths) ? ["/paths"] : []),
    ...(before.groups?.every((group) => groups.includes(group)) === false ? ["/groups"] : []),
    ...limitNames.filter((name) => isLooser(after.limits?.[name], said[name])).map((name) => `/limits/${name}`),
    ...annotationNames
      .filter((name) => isLessCareful(name, before.annotations?.[name], after.annotations?.[name]))
      .map((name) => `/annotations/${name}`),
  ];
}

/** What nobody says of a tool counts as the careful answer, so that only an admin says the other one. */
function isLessCareful(name: (typeof annotationNames)[number], before: boolean | undefined, after: boolean | undefined): boolean {
  if (before !== undefined && before !== careful[name]) return false;
  return after === undefined ? before !== undefined : after !== careful[name];
}

/** Whether a limit allows more than another one; an absent one allows everything. */
export function isLooser(limit: number | false | undefined, than: number | false | undefined): boolean {
  return (limit || Number.POSITIVE_INFINITY) > (than || Number.POSITIVE_INFINITY);
}

export const limitNames = ["timeoutMs", "maxResultBytes", "concurrency"] as const;

/** The answer to each that makes callers and policies more careful. */
const careful: Required<Pick<ToolAnnotations, (typeof annotationNames)[number]>> = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
};
const annotationNames = ["readOnly", "destructive", "idempotent", "openWorld"] as const;

export const lowest = ["minimum", "minLength", "minItems"] as const;
export const highest = ["maximum", "maxLength", "maxItems"] as const;

function mergeParameter(base: ParameterOverlay = {}, over: ParameterOverlay = {}, mayLoosen: boolean): ParameterOverlay {
  const { hidden: _, ...said } = over;
  if (mayLoosen) {
    const { hidden: _hidden, value: _value, ...visible } = base;
    const kept = "value" in over ? {} : over.hidden === false ? visible : base;
    return { ...kept, ...said, ...(over.hidden === true && { hidden: true }) };
  }
  const { description } = over;
  if (isWithheld(base)) return { ...base, ...(description !== undefined && { description }) };
  return { ...base, ...said, ...tighterRange(base, over), ...(over.hidden === true && { hidden: true }) };
}

/** The parameters that no caller gives: those that are hidden, and those with a value. */
export function withheldIn({ parameters = {} }: ToolOverlay): readonly string[] {
  return Object.keys(parameters).filter((name) => isWithheld(parameters[name]!));
}

function isWithheld(parameter: ParameterOverlay): boolean {
  return parameter.hidden === true || "value" in parameter;
}

/** The values that both allow. */
function tighterRange(base: ParameterOverlay, over: ParameterOverlay): ParameterOverlay {
  const tighter = (names: readonly (typeof lowest | typeof highest)[number][], choose: (...values: number[]) => number): ParameterOverlay =>
    Object.fromEntries(
      names.flatMap((name) => {
        const values = [base[name], over[name]].filter((value) => value !== undefined);
        return values.length === 0 ? [] : [[name, choose(...values)]];
      }),
    );
  const values = base.enum && over.enum ? base.enum.filter((value) => includes(over.enum!, value)) : (base.enum ?? over.enum);
  return { ...tighter(lowest, Math.max), ...tighter(highest, Math.min), ...(values && { enum: values }) };
}

/** The fields of a parameter that do not hold any more. */
function loosenedIn(before: ParameterOverlay, after: ParameterOverlay): readonly string[] {
  if ("value" in before) return "value" in after && jsonEquals(before.value, after.value) ? [] : ["value"];
  if (before.hidden === true) return "value" in after ? ["value"] : after.hidden === true ? [] : ["hidden"];
  if ("value" in after) {
    const { description: _, hidden: _hidden, ...range } = before;
    return validatorFor(range as JsonSchema).check(after.value) ? [] : ["value"];
  }
  if (after.hidden === true) return [];
  const values = before.enum;
  return [
    ...(values !== undefined && !(after.enum?.every((value) => includes(values, value)) ?? false) ? ["enum"] : []),
    ...lowest.filter((name) => before[name] !== undefined && !((after[name] ?? Number.NEGATIVE_INFINITY) >= before[name])),
    ...highest.filter((name) => before[name] !== undefined && !((after[name] ?? Number.POSITIVE_INFINITY) <= before[name])),
  ];
}

/** Another folder has other files, so it counts as allowing more. */
function isWithin(before: SourcePathsConfig, after: SourcePathsConfig | undefined): boolean {
  if (after?.folder !== before.folder) return false;
  return before.parameters?.every((name) => after.parameters?.includes(name)) ?? true;
}

function mergePaths(
  base: SourcePathsConfig | undefined,
  over: SourcePathsConfig | undefined,
  mayLoosen: boolean,
): SourcePathsConfig | undefined {
  if (base === undefined || over === undefined) return over ?? base;
  if (mayLoosen) return over;
  const parameters = [...new Set([...(base.parameters ?? []), ...(over.parameters ?? [])])];
  return { folder: base.folder, ...(parameters.length > 0 && { parameters }) };
}

type May = (pointer: string) => boolean;

function mergeLimits(base: ToolLimits, over: ToolLimits = {}, may: May): ToolLimits {
  const kept = limitNames.filter((name) => over[name] === undefined || (isLooser(over[name], base[name]) && !may(`/limits/${name}`)));
  return { ...base, ...over, ...among(base, Object.fromEntries(kept.map((name) => [name, base[name]]))) };
}

function mergeAnnotations(base: ToolAnnotations = {}, over: ToolAnnotations = {}, may: May): ToolAnnotations {
  const given = { ...base, ...over };
  for (const name of annotationNames) {
    if (!isLessCareful(name, base[name], given[name]) || may(`/annotations/${name}`)) continue;
    if (base[name] === undefined) delete given[name];
    else given[name] = base[name];
  }
  return given;
}

/** The limits that are set in `others` as well. */
function among(limits: ToolLimits, others: ToolLimits = {}): ToolLimits {
  const names = limitNames.filter((name) => limits[name] !== undefined && others[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, limits[name]]));
}

function includes(values: readonly unknown[], value: unknown): boolean {
  return values.some((one) => jsonEquals(one, value));
}

function own<Value>(object: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return isObject(object) && Object.hasOwn(object, name) ? (object as Readonly<Record<string, Value>>)[name] : undefined;
}
