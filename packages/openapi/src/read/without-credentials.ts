import { comparedName } from "../names/compared-name.ts";
import type { Credential } from "../operation.ts";
import type { ReadParameter } from "./parameters.ts";

/**
 * What is sent as a credential is no parameter. Neither is a parameter whose name servers may read as that of the credential: a model could send
 * its own value beside the secret, and the server would choose.
 */
export function withoutCredentials(
  parameters: readonly ReadParameter[],
  credentials: readonly Credential[],
  warn: (message: string) => void,
): readonly ReadParameter[] {
  const names = new Map(credentials.map((one) => [placeOf(one), one.name]));
  return parameters.filter((one) => {
    const credential = names.get(placeOf(one));
    if (credential !== undefined && credential !== one.name && one.in !== "header")
      warn(
        `The parameter ${JSON.stringify(one.name.slice(0, 80))} (${one.in}) has the name of the credential ${JSON.stringify(credential.slice(0, 80))} in another spelling: it is left out, since servers may read both as one.`,
      );
    return credential === undefined;
  });
}

/** Where something stands in a request. */
function placeOf({ in: place, name }: { readonly in: string; readonly name: string }): string {
  return `${place} ${comparedName(name)}`;
}
