import type { Logger } from "@toolrack/core";
import type { Secrets } from "@toolrack/store";
import type { ServerLog } from "./log.ts";

/** Redacts the secrets of a rack in its log, if the log is one of `createLog`. */
export function hideSecrets({ log, secrets }: { readonly log: Logger; readonly secrets: Pick<Secrets, "seenValues"> }): void {
  if ("hide" in log && typeof log.hide === "function") (log as ServerLog).hide(() => secrets.seenValues());
}
