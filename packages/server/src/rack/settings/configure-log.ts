import type { Logger } from "@toolrack/core";
import type { LogConfig, RackConfig } from "../../config/config.ts";

/** Hands over to a log what the configuration says about it, where it can take that in, as those of `createLog` can. */
export function configureLog(log: Logger, { log: settings = {}, redaction }: RackConfig): void {
  if (!("configure" in log) || typeof log.configure !== "function") return;
  const configure = log.configure as (settings: LogConfig & { readonly hiddenFields: readonly string[] }) => void;
  configure({ ...settings, hiddenFields: redaction?.fields ?? [] });
}
