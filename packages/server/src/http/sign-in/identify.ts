import type { RequestServices } from "../request/services.ts";
import type { HttpRequest } from "../transport/exchange.ts";
import { type Identity, nobody } from "./identity.ts";
import { Problem } from "../reply/problem.ts";
import { strangerAt } from "../limits/strangers.ts";
import type { Route } from "../route.ts";

/** Identifies the caller of a request, and checks its rate limit and role. */
export function identify(
  { needs = "anyone" }: Pick<Route, "needs">,
  services: RequestServices,
  request: HttpRequest,
): Identity | Promise<Identity> {
  if (needs === "public") {
    services.rates.take(strangerAt(request.remoteAddress));
    return nobody;
  }
  const refuse = (error: unknown): never => {
    // Limits guessing of keys.
    services.rates.take(strangerAt(request.remoteAddress));
    throw error;
  };
  let found: Identity | Promise<Identity>;
  try {
    found = services.signIn(request);
  } catch (error) {
    return refuse(error);
  }
  return found instanceof Promise
    ? found.catch(refuse).then((identity) => authorize(identity, needs, services))
    : authorize(found, needs, services);
}

function authorize(identity: Identity, needs: Exclude<NonNullable<Route["needs"]>, "public">, services: RequestServices): Identity {
  services.rates.take(identity.principal);
  if (needs !== "anyone" && !needs.some((role) => identity.roles.has(role))) {
    throw new Problem(
      403,
      "ROLE_MISSING",
      `"${identity.agent}" may not do this: it needs the role ${needs.map((role) => `"${role}"`).join(" or ")}.`,
    );
  }
  return identity;
}
