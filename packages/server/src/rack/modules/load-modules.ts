import { type AddedWrapper, ToolError } from "@toolrack/core";
import { defineLintRule, type LintRule, lintRules as builtInRules } from "@toolrack/core/lint";
import { defineProvider, type Provider, providerTargets } from "@toolrack/core/vendors";
import type { ImplementationKind } from "@toolrack/store";
import { packNames } from "../../config/config.ts";
import { plainCredentialRule } from "../../config/shown-source.ts";
import { driftRuleId } from "../../javascript/drift-rule.ts";
import type { PackDefinition } from "../packs/pack.ts";
import { mcpType, type SourceKind } from "../sources/source-kind.ts";
import { type ModuleSupplies, suppliesOf } from "./module.ts";
import { type LoadedModules, noModules } from "./loaded-modules.ts";
import { readModule } from "./read-module.ts";

/**
 * Loads the modules of a configuration, once, when the server starts. A module that cannot be loaded is left out, and its source says
 * why. Throws CONFIG_INVALID where two modules add the same name, or a module adds a name that is built in.
 */
export async function loadModules(specifiers: readonly string[], folder: string): Promise<LoadedModules> {
  if (specifiers.length === 0) return noModules;
  const failed = new Map<string, string>();
  const supplies = new Map<string, ModuleSupplies>();
  const kinds = collector<ImplementationKind>("kind of stored tool", ["local", "http"]);
  const packs = collector<PackDefinition>("pack", packNames);
  const sources = collector<SourceKind>("type of source", [mcpType]);
  const vendors = collector<Provider>("vendor", providerTargets);
  // The registry refuses the names of its own wrappers.
  const wrappers = collector<AddedWrapper>("wrapper", []);
  const lintRules = collector<LintRule>("lint rule", [...builtInRules.map(({ id }) => id), plainCredentialRule, driftRuleId]);
  for (const specifier of new Set(specifiers)) {
    const module = await readModule(specifier, folder).catch((error: unknown) => {
      failed.set(specifier, error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (module === undefined) continue;
    for (const kind of module.kinds ?? []) kinds.add(kind.kind, () => kind, specifier);
    for (const pack of module.packs ?? []) packs.add(pack.name, () => pack, specifier);
    for (const source of module.sources ?? []) sources.add(source.type, () => source, specifier);
    for (const vendor of module.vendors ?? []) vendors.add(vendor.name, () => defineProvider(vendor), specifier);
    for (const added of module.wrappers ?? []) wrappers.add(added.wrapper.name, () => added, specifier);
    for (const rule of module.lintRules ?? []) lintRules.add(rule.id, () => defineLintRule(rule), specifier);
    const own = suppliesOf(module);
    if (Object.values(own).some((names) => names.length > 0)) supplies.set(specifier, own);
  }
  return {
    kinds: [...kinds.all.values()],
    packs: packs.all,
    sources: sources.all,
    vendors: vendors.all,
    wrappers: [...wrappers.all.values()],
    lintRules: [...lintRules.all.values()],
    supplies,
    failed,
  };
}

interface Collector<Entry> {
  readonly all: Map<string, Entry>;
  /** `make` is called if the name is free. */
  add(name: string, make: () => Entry, specifier: string): void;
}

/** Collects entries by name, and refuses a name that is taken: the error names both who have it. */
function collector<Entry>(what: string, builtIn: readonly string[]): Collector<Entry> {
  const all = new Map<string, Entry>();
  const owners = new Map<string, string>();
  return {
    all,
    add(name, make, specifier) {
      const owner = owners.get(name);
      if (builtIn.includes(name))
        throw taken(`the module "${specifier}" adds the ${what} "${name}", but a ${what} of this name is built in`);
      if (owner === specifier) throw taken(`the module "${specifier}" adds the ${what} "${name}" twice`);
      if (owner !== undefined) throw taken(`the modules "${owner}" and "${specifier}" both add the ${what} "${name}"`);
      owners.set(name, specifier);
      all.set(name, make());
    },
  };
}

function taken(fact: string): ToolError {
  return new ToolError("CONFIG_INVALID", `tools.modules: ${fact}. Rename it in the module.`);
}
