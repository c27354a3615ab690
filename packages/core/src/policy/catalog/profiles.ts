import { coreToolCatalog } from "./catalog.ts";
import type { ToolPolicy } from "../policy.ts";

/** The built-in profiles. `full` has no policy at all: nothing is restricted. */
export const coreToolProfiles: readonly string[] = Object.freeze(["minimal", "coding", "messaging", "full"]);

const policies: ReadonlyMap<string, ToolPolicy> = new Map(
  coreToolProfiles
    .filter((profile) => profile !== "full")
    .map((profile) => [
      profile,
      Object.freeze({
        allow: Object.freeze(coreToolCatalog.filter((tool) => tool.profiles.includes(profile)).map((tool) => tool.name)),
      }),
    ]),
);

/** "minimal" → { allow: ["session_status"] }. Undefined if nothing is restricted: "full", an unknown name, no name. */
export function resolveCoreToolProfilePolicy(name: string | undefined): ToolPolicy | undefined {
  return name === undefined ? undefined : policies.get(name);
}
