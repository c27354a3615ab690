import type { Caller } from "@toolrack/core";
import type { ApiKeys } from "../rack.ts";

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

/** The maker with the rights that it still has; a sentence if it has none any more. */
export async function presentMaker(maker: Maker, keys: Pick<ApiKeys, "list">, now: number): Promise<Maker | string> {
  if (maker.principal?.startsWith("key ") !== true) return maker;
  const live = (await keys.list()).filter(
    ({ agent, expiresAt }) => `key ${agent}` === maker.principal && (expiresAt === undefined || expiresAt > now),
  );
  if (live.length === 0) return `The key of "${maker.principal.slice("key ".length)}", which made it, was revoked or has expired.`;
  const held = new Set(live.flatMap(({ roles }) => roles.flatMap((role) => impliedRoles[role] ?? [role])));
  return { ...maker, roles: (maker.roles ?? []).filter((role) => held.has(role)) };
}

const impliedRoles: Readonly<Record<string, readonly string[]>> = {
  curator: ["curator", "emitter", "subscriber"],
  admin: ["admin", "curator", "emitter", "subscriber"],
};
