import type { Logger } from "@toolrack/core";
import type { LogConfig, RackConfig } from "../../config/config.ts";

/** Applies the log settings of the configuration, if the log supports it, as those of `createLog` do. */
export function configureLog(log: Logger, { log: settings = {}, redaction }: RackConfig): void {
  if (!("configure" in log) || typeof log.configure !== "function") return;
  const configure = log.configure as (settings: LogConfig & { readonly hiddenFields: readonly string[] }) => void;
  configure({ ...settings, hiddenFields: redaction?.fields ?? [] });
}
