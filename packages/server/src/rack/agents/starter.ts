import type { Caller } from "@toolrack/core";

/** The same identity, whatever else it said about itself. */
export function isSame(starter: Caller | undefined, caller: Caller): boolean {
  return (
    starter !== undefined &&
    starter.principal === caller.principal &&
    starter.tenant === caller.tenant &&
    (starter.principal !== undefined || starter.agent === caller.agent)
  );
}

/** What is kept of whoever began a session. */
export function plainCaller({ agent, principal, tenant, roles, owner, inherited, sandboxed }: Caller): Caller {
  return {
    ...(agent !== undefined && { agent }),
    ...(principal !== undefined && { principal }),
    ...(tenant !== undefined && { tenant }),
    ...(roles !== undefined && { roles }),
    ...(owner !== undefined && { owner }),
    ...(inherited !== undefined && { inherited }),
    ...(sandboxed !== undefined && { sandboxed }),
  };
}
