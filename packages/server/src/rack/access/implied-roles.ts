/** Each role of a caller with the roles that it implies. */
export const impliedRoles: Readonly<Record<"emitter" | "subscriber" | "curator" | "admin" | "owner", readonly ServerRoleName[]>> = {
  emitter: ["emitter"],
  subscriber: ["subscriber"],
  curator: ["curator", "emitter", "subscriber"],
  admin: ["admin", "curator", "emitter", "subscriber"],
  owner: ["owner"],
};

export type ServerRoleName = "emitter" | "subscriber" | "curator" | "admin" | "owner";

/** These roles and all that they imply; unknown ones are left out. */
export function withImplied(roles: readonly string[]): ReadonlySet<ServerRoleName> {
  return new Set(roles.flatMap((role) => (Object.hasOwn(impliedRoles, role) ? impliedRoles[role as ServerRoleName] : [])));
}
