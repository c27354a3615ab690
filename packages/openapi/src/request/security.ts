import type { Credential, SecurityPlan } from "../operation.ts";

/** The first way to sign in whose secrets are all there. One that needs nothing is used only where no other can be. */
export function chooseCredentials(plan: SecurityPlan, has: (secret: string) => boolean): readonly Credential[] | undefined {
  const usable = plan.find((credentials) => credentials.length > 0 && credentials.every(({ secret }) => has(secret)));
  return usable ?? plan.find((credentials) => credentials.length === 0);
}

/** What a credential adds: a header, a pair of the query or a cookie. */
export interface AddedCredential {
  readonly in: Credential["in"];
  readonly name: string;
  readonly value: string;
}

export function toAdded({ kind, in: place, name }: Credential, secret: string): AddedCredential {
  const value = kind === "basic" ? `Basic ${Buffer.from(secret).toString("base64")}` : kind === "bearer" ? `Bearer ${secret}` : secret;
  return { in: place, name, value };
}
