import type { Door } from "../request/request-scope.ts";
import type { HttpRequest } from "../transport/exchange.ts";
import { type Identity, nobody } from "./identity.ts";
import { Problem } from "../reply/problem.ts";
import type { Route } from "../route.ts";

/** Who makes a request, within the limits of how often anybody may, and with a role that the route needs. */
export function identify({ needs = "anyone" }: Pick<Route, "needs">, door: Door, request: HttpRequest): Identity | Promise<Identity> {
  if (needs === "public") {
    door.rates.take(`address ${request.remoteAddress ?? "unknown"}`);
    return nobody;
  }
  const refuse = (error: unknown): never => {
    // Guessing keys has a limit, too.
    door.rates.take(`address ${request.remoteAddress ?? "unknown"}`);
    throw error;
  };
  let found: Identity | Promise<Identity>;
  try {
    found = door.signIn(request);
  } catch (error) {
    return refuse(error);
  }
  return found instanceof Promise ? found.catch(refuse).then((identity) => admit(identity, needs, door)) : admit(found, needs, door);
}

function admit(identity: Identity, needs: Exclude<NonNullable<Route["needs"]>, "public">, door: Door): Identity {
  door.rates.take(identity.principal);
  if (needs !== "anyone" && !needs.some((role) => identity.roles.has(role))) {
    throw new Problem(
      403,
      "ROLE_MISSING",
      `"${identity.agent}" may not do this: it needs the role ${needs.map((role) => `"${role}"`).join(" or ")}.`,
    );
  }
  return identity;
}
