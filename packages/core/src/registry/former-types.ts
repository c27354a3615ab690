import type { ExportBudget, FitOptions } from "../fit-tools.ts";
import type { ExportOptions } from "../providers/wire/options.ts";
import type { ExportedTools } from "../providers/wire/export.ts";
import type { SearchToolsOptions } from "../search/search-tools.ts";
import type { Caller } from "../tool/context.ts";

/** Options of the method `exportTools` that a registry had: now those of the functions `exportTools` and `fitTools`. */
export type RegistryExportOptions = ExportOptions & FitOptions & { readonly caller?: Caller; readonly rest?: "search" | "deferred" };

/** What that method answered: now `exportTools`, with the budget of `fitTools`. */
export type RegistryExport = ExportedTools & { readonly budget?: ExportBudget };

/** Options of the method `search` that a registry had: now those of the function `searchTools`. */
export type RegistrySearchOptions = SearchToolsOptions;
