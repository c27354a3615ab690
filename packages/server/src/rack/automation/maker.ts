import type { Caller } from "@toolrack/core";

/** Who made something that runs by itself, as its jobs run. Never the owner: nobody is there. */
export type Maker = Pick<Caller, "agent" | "principal" | "roles" | "tenant" | "provider" | "model" | "sandboxed">;

/** The facts of a caller that outlive its request. */
export function makerOf({ agent, principal, roles, tenant, provider, model, sandboxed }: Caller): Maker {
  return {
    ...(agent !== undefined && { agent }),
    ...(principal !== undefined && { principal }),
    ...(roles !== undefined && { roles: roles.filter((role) => role !== "owner") }),
    ...(tenant !== undefined && { tenant }),
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(sandboxed !== undefined && { sandboxed }),
  };
}
