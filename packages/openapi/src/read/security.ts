import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownList, ownObject, ownText } from "../document/json.ts";
import type { References } from "../document/references.ts";
import { OperationFault } from "../fault.ts";
import type { Credential, SecurityPlan } from "../operation.ts";
import { headerName, isConnectionHeader } from "./headers.ts";

export interface ReadSecurity {
  readonly requirements: readonly Readonly<Record<string, readonly string[]>>[];
  readonly plan: SecurityPlan;
  readonly warnings: readonly string[];
}

/** The ways to sign in for an operation: its own list replaces that of the document, also when it is empty. */
export function readSecurity(
  operation: JsonObject,
  root: JsonObject,
  references: References,
  secrets: Readonly<Record<string, string>>,
): ReadSecurity {
  const given = Array.isArray(own(operation, "security")) ? ownList(operation, "security") : ownList(root, "security");
  const schemes = ownObject(ownObject(root, "components"), "securitySchemes") ?? ownObject(root, "securityDefinitions");
  const warnings: string[] = [];
  const requirements: Record<string, readonly string[]>[] = [];
  const plan: (readonly Credential[])[] = [];
  references.work.copy(given.length);
  for (const requirement of given.filter(isObject)) {
    const names = members(requirement);
    references.work.copy(names.reduce((count, [, scopes]) => count + 1 + (Array.isArray(scopes) ? scopes.length : 0), 0));
    requirements.push(Object.fromEntries(names.map(([name, scopes]) => [name, textsOf(scopes)])));
    const credentials: Credential[] = [];
    for (const [name] of names) {
      const secret = own(secrets, name);
      const read = readScheme(name, own(schemes, name), references, typeof secret === "string" ? secret : name);
      if (typeof read === "string") warnings.push(read);
      else credentials.push(read);
    }
    // One that nothing can be sent for is not the same as one that needs nothing.
    if (credentials.length > 0 || names.length === 0) plan.push(credentials);
  }
  return { requirements, plan, warnings };
}

/** The credential of a scheme, or a sentence that tells why there is none. */
function readScheme(scheme: string, given: unknown, references: References, secret: string): Credential | string {
  const shown = JSON.stringify(scheme.slice(0, 80));
  if (given === undefined) return `The security scheme ${shown} is not described: requests are sent without it.`;
  const { value } = references.follow(given, references.main);
  const type = ownText(value, "type");
  const http = type === "http" ? (ownText(value, "scheme") ?? "").toLowerCase() : "";
  const authorization = { scheme, secret, in: "header", name: "authorization" } as const;
  if (type === "basic" || http === "basic") return { ...authorization, kind: "basic" };
  if (type === "oauth2" || type === "openIdConnect" || http === "bearer") return { ...authorization, kind: "bearer" };
  const place = ownText(value, "in");
  const name = ownText(value, "name");
  if (type === "apiKey" && name !== undefined && (place === "header" || place === "query" || place === "cookie")) {
    if (place !== "query" && !headerName.test(name)) return `The security scheme ${shown} has a name that no ${place} can have.`;
    if (place === "header" && isConnectionHeader(name))
      throw new OperationFault(`The security scheme ${shown} puts its key into the header "${name}", which belongs to the connection.`);
    return { scheme, secret, kind: "apiKey", in: place, name: place === "header" ? name.toLowerCase() : name };
  }
  return `The security scheme ${shown} (${type ?? "without a type"}${http === "" ? "" : ` ${http}`}) is not supported: requests are sent without it.`;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
