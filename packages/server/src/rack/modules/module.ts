import { isObject } from "@toolrack/core/internal";
import { type AnyTool, ToolError } from "@toolrack/core";
import { defineProvider, type Provider } from "@toolrack/core/vendors";
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
}

const brand = Symbol.for("toolrack.module"); // survives two copies of the package in one process

/** Checks and freezes what a module adds. Use it as the default export of a module in `tools.modules`. Throws PLUGIN_INVALID. */
export function defineModule(module: ServerModule): ServerModule {
  const faults = isObject(module) ? findFaults(module) : ["A module is an object with tools, kinds, packs, sources or vendors."];
  if (faults.length > 0) throw new ToolError("PLUGIN_INVALID", faults.join(" "));
  const parts = Object.entries(module).map(([part, list]) => [part, Object.freeze([...(list as readonly unknown[])])]);
  return Object.freeze(Object.defineProperty(Object.fromEntries(parts), brand, { value: true })) as ServerModule;
}

export function isServerModule(value: unknown): value is ServerModule {
  return typeof value === "object" && value !== null && brand in value;
}

/** What a module supplies beside its tools, by name. */
export interface ModuleSupplies {
  readonly kinds: readonly string[];
  readonly packs: readonly string[];
  readonly sources: readonly string[];
  readonly vendors: readonly string[];
}

export function suppliesOf({ kinds = [], packs = [], sources = [], vendors = [] }: ServerModule): ModuleSupplies {
  return {
    kinds: kinds.map(({ kind }) => kind),
    packs: packs.map(({ name }) => name),
    sources: sources.map(({ type }) => type),
    vendors: vendors.map(({ name }) => name),
  };
}

/** Each part: the property that names an entry, and the functions that an entry needs. */
const parts: Readonly<Record<Exclude<keyof ServerModule, "tools">, { readonly key: string; readonly functions: readonly string[] }>> = {
  kinds: { key: "kind", functions: ["createHandler"] },
  packs: { key: "name", functions: ["open"] },
  sources: { key: "type", functions: ["create"] },
  vendors: { key: "name", functions: [] },
};

function findFaults(module: object): readonly string[] {
  return Object.entries(module).flatMap(([part, list]) => {
    if (part !== "tools" && !Object.hasOwn(parts, part))
      return [`"${part}" is not a part of a module. Known parts: tools, ${Object.keys(parts).join(", ")}.`];
    if (!Array.isArray(list)) return [`"${part}" of a module must be a list.`];
    return part === "tools" ? [] : list.flatMap((entry, index) => entryFaults(part as keyof typeof parts, entry, index));
  });
}

const namePattern = /^(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

function entryFaults(part: keyof typeof parts, entry: unknown, index: number): readonly string[] {
  const { key, functions } = parts[part];
  if (!isObject(entry)) return [`${part}[${index}] of a module must be an object.`];
  const name = entry[key];
  if (typeof name !== "string" || !namePattern.test(name))
    return [
      `${part}[${index}].${key} of a module must be a name of 1 to 64 lower-case letters and digits, with single hyphens between. It begins with a letter.`,
    ];
  if (part === "vendors") return vendorFaults(entry as object as Provider);
  const missing = functions.filter((member) => typeof entry[member] !== "function");
  return missing.length === 0 ? [] : [`${part}[${index}] of a module ("${name}") lacks the function ${missing.join(", ")}.`];
}

function vendorFaults(vendor: Provider): readonly string[] {
  try {
    defineProvider(vendor);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
