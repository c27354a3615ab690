import type { Caller } from "@toolrack/core";

/** Who made something that runs by itself, as its jobs run. Never the owner: nobody is there. */
export type Maker = Omit<Caller, "owner" | "session" | "run">;

/** The facts of a caller that outlive its request: all by which a policy restricts it. */
export function makerOf(caller: Caller): Maker {
  const { owner: _, session: __, run: ___, roles, ...facts } = caller;
  return { ...facts, ...(roles !== undefined && { roles: roles.filter((role) => role !== "owner") }) };
}
