import type { ProviderTarget } from "../providers/provider.ts";
import type { ExportOptions } from "../providers/wire/compile.ts";
import { type ExportedTools, exportTools } from "../providers/wire/export.ts";
import type { Caller } from "../tool/context.ts";
import type { RegistryView } from "./permission.ts";

export interface RegistryExportOptions extends ExportOptions {
  /** For whom: only what this caller may see is exported. @default a caller of whom nothing is known */
  readonly caller?: Caller;
}

/** What one caller may see, as one vendor takes it. The model is the caller's, where the options name none. */
export function exportView(view: (caller: Caller) => RegistryView, target: ProviderTarget, options: RegistryExportOptions): ExportedTools {
  const { caller = {}, ...rest } = options;
  const model = rest.model ?? caller.model;
  return exportTools(view(caller).tools, target, model === undefined ? rest : { ...rest, model });
}
