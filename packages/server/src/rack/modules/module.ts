import { isObject } from "@toolrack/core/internal";
import { type AddedWrapper, type AnyTool, createRegistry, type RegistryOptions, ToolError } from "@toolrack/core";
import { defineLintRule, type LintRule } from "@toolrack/core/lint";
import { defineProvider, type Provider } from "@toolrack/core/vendors";
import { nearestNames } from "@toolrack/json-schema/internal";
import type { ImplementationKind } from "@toolrack/store";
import type { PackDefinition } from "../packs/pack.ts";
import type { SourceKind } from "../sources/source-kind.ts";

/** What a module of `tools.modules` may add to a server. Every part is optional. */
export interface ServerModule {
  /** Tools, available to every caller that the policy allows. */
  readonly tools?: readonly AnyTool[];
  /** Further kinds of implementation for stored tools: `implementation.kind` in a definition names one. */
  readonly kinds?: readonly ImplementationKind[];
  /** Packs of tools that `tools.packs.<name>` enables. */
  readonly packs?: readonly PackDefinition[];
  /** Types of sources that `sources.<id>.type` may name. */
  readonly sources?: readonly SourceKind[];
  /** Vendors that tools can be exported for. */
  readonly vendors?: readonly Provider[];
  /** Wrappers around every call, each at a named position of the chain. */
  readonly wrappers?: readonly AddedWrapper[];
  /** Rules that `toolrack lint` and `GET /lint` apply in addition to the built-in ones. */
  readonly lintRules?: readonly LintRule[];
}

const brand = Symbol.for("toolrack.module"); // survives two copies of the package in one process

/** Checks and freezes what a module adds. Use it as the default export of a module in `tools.modules`. Throws PLUGIN_INVALID. */
export function defineModule(module: ServerModule): ServerModule {
  const faults = isObject(module) ? findFaults(module) : [`A module is an object with one or more of ${partNames().join(", ")}.`];
  if (faults.length > 0) throw new ToolError("PLUGIN_INVALID", faults.join(" "));
  const parts = Object.entries(module).map(([part, list]) => [part, Object.freeze([...(list as readonly unknown[])])]);
  return Object.freeze(Object.defineProperty(Object.fromEntries(parts), brand, { value: true })) as ServerModule;
}

export function isServerModule(value: unknown): value is ServerModule {
  return typeof value === "object" && value !== null && brand in value;
}

/** What a module supplies beside its tools, by name. */
export type ModuleSupplies = Readonly<Record<Exclude<keyof ServerModule, "tools">, readonly string[]>>;

export function suppliesOf(module: ServerModule): ModuleSupplies {
  const { kinds = [], packs = [], sources = [], vendors = [], wrappers = [], lintRules = [] } = module;
  return {
    kinds: kinds.map(({ kind }) => kind),
    packs: packs.map(({ name }) => name),
    sources: sources.map(({ type }) => type),
    vendors: vendors.map(({ name }) => name),
    wrappers: wrappers.map(({ wrapper }) => wrapper.name),
    lintRules: lintRules.map(({ id }) => id),
  };
}

/** The names of the parts, "tools" first. */
export function partNames(): readonly string[] {
  return ["tools", ...Object.keys(parts)];
}

type FindEntryFaults = (entry: Readonly<Record<string, unknown>>, at: string) => readonly string[];

/** Each part: what is wrong with one entry of it. `at` is its position: "packs[0]". */
const parts: Readonly<Record<keyof ModuleSupplies, FindEntryFaults>> = {
  kinds: named("kind", ["createHandler"]),
  packs: named("name", ["open"]),
  sources: named("type", ["create"]),
  vendors: (entry, at) => firstOf(named("name", [])(entry, at), () => refusal(() => defineProvider(entry as object as Provider))),
  wrappers: (entry, at) =>
    isObject(entry["wrapper"])
      ? refusal(() => createRegistry({ ...allWrappers, wrappers: [entry as object as AddedWrapper] }))
      : [`${at} of a module must be { wrapper, at }: a wrapper and its position.`],
  lintRules: (entry) => refusal(() => defineLintRule(entry as object as LintRule)),
};

/** Options that put every built-in wrapper into the chain, so that no name of a module can be the name of one. */
const allWrappers: RegistryOptions = {
  limits: { callsPerRun: 1, rate: [], loops: {}, circuitBreaker: {}, concurrency: 1, retry: { attempts: 2, backoffMs: 0 } },
  redaction: {},
  workspace: { root: "." },
};

function findFaults(module: object): readonly string[] {
  return Object.entries(module).flatMap(([part, list]) => {
    if (part !== "tools" && !Object.hasOwn(parts, part)) {
      const [near] = nearestNames(part, partNames(), 1);
      const hint = near === undefined ? `Known parts: ${partNames().join(", ")}.` : `Did you mean "${near}"?`;
      return [`"${part}" is not a part of a module. ${hint}`];
    }
    if (!Array.isArray(list)) return [`"${part}" of a module must be a list.`];
    if (part === "tools") return [];
    return list.flatMap((entry: unknown, index) =>
      isObject(entry)
        ? parts[part as keyof typeof parts](entry, `${part}[${index}]`)
        : [`${part}[${index}] of a module must be an object.`],
    );
  });
}

const namePattern = /^(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** An entry with a name under `key`, and these functions. */
function named(key: string, functions: readonly string[]): FindEntryFaults {
  return (entry, at) => {
    const name = entry[key];
    if (typeof name !== "string" || !namePattern.test(name))
      return [
        `${at}.${key} of a module must be a name of 1 to 64 lower-case letters and digits, with single hyphens between. It begins with a letter.`,
      ];
    const missing = functions.filter((member) => typeof entry[member] !== "function");
    return missing.length === 0 ? [] : [`${at} of a module ("${name}") lacks the function ${missing.join(", ")}.`];
  };
}

function firstOf(faults: readonly string[], more: () => readonly string[]): readonly string[] {
  return faults.length > 0 ? faults : more();
}

/** The message of the error that `define` throws, if it throws one. */
function refusal(define: () => unknown): readonly string[] {
  try {
    define();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
