import type { Provider, ProviderSchema } from "./provider.ts";
import type { VendorRule } from "./rules/rule.ts";

/** A vendor's schema and rules, with strict or without. */
export interface SchemaMode {
  readonly strict: boolean;
  readonly schema: ProviderSchema;
  readonly rules: readonly VendorRule[];
}

/** The mode that an option asks for, or else the vendor's default. A vendor without a strict mode is never strict. */
export function modeOf(provider: Provider, strict: boolean = provider.strict?.byDefault === true): SchemaMode {
  const mode = strict && provider.strict !== undefined ? provider.strict : provider;
  return { strict: mode !== provider, schema: mode.schema, rules: mode.rules };
}
