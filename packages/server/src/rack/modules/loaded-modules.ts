import type { AddedWrapper } from "@toolrack/core";
import type { LintRule } from "@toolrack/core/lint";
import type { Provider } from "@toolrack/core/vendors";
import type { ImplementationKind } from "@toolrack/store";
import type { PackDefinition } from "../packs/pack.ts";
import type { SourceKind } from "../sources/source-kind.ts";
import type { ModuleSupplies } from "./module.ts";

/** What the modules of a configuration add to the server, beside tools. */
export interface LoadedModules {
  readonly kinds: readonly ImplementationKind[];
  readonly packs: ReadonlyMap<string, PackDefinition>;
  readonly sources: ReadonlyMap<string, SourceKind>;
  readonly vendors: ReadonlyMap<string, Provider>;
  readonly wrappers: readonly AddedWrapper[];
  readonly lintRules: readonly LintRule[];
  /** By specifier; only modules that supply something beside tools. */
  readonly supplies: ReadonlyMap<string, ModuleSupplies>;
  /** Why a module could not be loaded, by specifier. */
  readonly failed: ReadonlyMap<string, string>;
}

export const noModules: LoadedModules = {
  kinds: [],
  packs: new Map(),
  sources: new Map(),
  vendors: new Map(),
  wrappers: [],
  lintRules: [],
  supplies: new Map(),
  failed: new Map(),
};

/** The registry's id of the source that holds the tools of a module. */
export function moduleSourceId(specifier: string): string {
  return `module:${specifier}`;
}
