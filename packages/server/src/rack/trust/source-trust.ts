import type { TrustConfig, TrustChange, TrustFirst } from "../../config/config.ts";
import { needsApproval, registryIdOf } from "../sources/create-source.ts";
import type { ConfiguredSource } from "../settings/settings.ts";

/** How the definitions of one source are treated. */
export interface SourceTrust {
  /** Code of this server: packs, modules, plugins, records that were approved one by one. It is recorded and never held. */
  readonly isOwn: boolean;
  readonly first: TrustFirst;
  readonly change: TrustChange;
  readonly enforce: boolean;
  /** The settings have it now. */
  readonly isConfigured: boolean;
  /** The id under `sources`; "" for our own code. */
  readonly configId: string;
  /** It is started only after a person, or the file, agreed to what it starts. */
  readonly needsApproval: boolean;
}

/** What the settings say about the source with this id in the registry. A source that is in none of them is code of this server only if its id says so. */
export function sourceTrustOf(
  registryId: string,
  { sources, trust = {} }: { readonly sources: readonly ConfiguredSource[]; readonly trust: TrustConfig | undefined },
): SourceTrust {
  const enforce = trust.enforce ?? true;
  const found = sources.find(({ id, source }) => registryIdOf(id, source) === registryId);
  if (found === undefined) {
    const unknown = { enforce, isConfigured: false, configId: "", needsApproval: false } as const;
    return isOwnId(registryId)
      ? { ...unknown, isOwn: true, first: "pin", change: "follow" }
      : { ...unknown, isOwn: false, first: trust.first ?? "scan", change: trust.change ?? "hold" };
  }
  const { first, change } = found.source.trust ?? {};
  const isAdded = found.origin.startsWith("record ");
  return {
    isOwn: false,
    first: first ?? (isAdded ? "ask" : (trust.first ?? "scan")),
    change: change ?? trust.change ?? "hold",
    enforce,
    isConfigured: true,
    configId: found.id,
    needsApproval: needsApproval(found.source),
  };
}

/** Ids of packs, of tools that code passes, of modules and of plugins. Every other type before a colon is of a source under `sources`. */
function isOwnId(id: string): boolean {
  return !id.includes(":") || /^(?:module|pack|plugin):/.test(id);
}
