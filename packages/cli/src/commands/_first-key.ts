import type { CreatedKey } from "@toolrack/server";
import type { Terminal } from "../print/terminal.ts";

/** Says what else the first key does: whoever used the server without one is locked out. */
export function warnOfFirstKey({ endsAnonymous }: Pick<CreatedKey, "endsAnonymous">, terminal: Pick<Terminal, "warn">): void {
  if (endsAnonymous !== true) return;
  terminal.warn(
    "This is the first API key: from now on, requests without a key are refused, also from this machine and also after the key is revoked. Your own commands on this machine need none.",
  );
}
