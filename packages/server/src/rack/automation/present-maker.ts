import { presentCaller } from "../jobs/present-caller.ts";
import type { ApiKeys } from "../rack.ts";
import type { Made, Maker } from "./maker.ts";

/** As whom it runs now, with the rights that are left; a sentence if it may not run any more. */
export async function presentMaker({ maker, admin }: Made, keys: Pick<ApiKeys, "list">, now: number): Promise<Maker | string> {
  if (admin === undefined) return presentCaller(maker, keys, now);
  const present = await presentCaller(admin, keys, now);
  if (typeof present === "string") return present;
  if (present.roles?.includes("admin") === true) return maker;
  return `"${admin.agent ?? ""}" is not an admin any more, and may not act as "${maker.agent ?? ""}".`;
}
