import type { Logger } from "@toolrack/core";
import type { Secrets } from "@toolrack/store";
import type { ServerLog } from "./log.ts";

/** Takes a rack's secrets out of its log, where that is one of `createLog`. */
export function hideSecrets({ log, secrets }: { readonly log: Logger; readonly secrets: Pick<Secrets, "seenValues"> }): void {
  if ("hide" in log && typeof log.hide === "function") (log as ServerLog).hide(() => secrets.seenValues());
}
