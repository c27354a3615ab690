import { ToolError, ToolInputError } from "@toolrack/core";
import { isWebAddress } from "@toolrack/fetch/internal";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { hasControl } from "../document/characters.ts";
import { own } from "../document/json.ts";
import type { OperationPlan, ParameterPlan } from "../operation.ts";
import { buildBody } from "./body.ts";
import { createTakenNames, namesIn, type TakenNames } from "./doubles.ts";
import { contentText, encode, isCookieText, toText } from "./encode.ts";
import { fillTemplate } from "./path.ts";
import { refuseDeep } from "./refuse-deep.ts";
import type { BuildRequestOptions, OpenApiRequest } from "./request.ts";
import { chooseCredentials, toAdded } from "./security.ts";
import { cookiePairs, headerText, queryPairs } from "./styles.ts";
import { textsIn } from "./texts-in.ts";

/** Makes a request of an input. Throws a ToolError for what cannot be sent safely. */
export function buildFromPlan(plan: OperationPlan, input: unknown, { baseUrl, secrets = {} }: BuildRequestOptions = {}): OpenApiRequest {
  if (!isObject(input)) throw new ToolInputError(`The input of ${plan.operation} must be an object.`);
  refuseDeep(input, plan.operation);
  refuseUnknown(plan, input);
  const valueOf = ({ property, pinned }: ParameterPlan): unknown => (property === undefined ? pinned : own(input, property));
  const headers: Record<string, string> = Object.create(null);
  const cookies: string[] = [];
  const fixed = fillTemplate(plan.query, plan, valueOf);
  const query: string[] = fixed === "" ? [] : [fixed];
  const inQuery = [...takenIn(plan, "query"), ...namesIn(fixed), ...namesIn(searchOf(baseUrl ?? plan.server))];
  const taken = {
    query: createTakenNames(inQuery, plan.operation),
    cookie: createTakenNames(takenIn(plan, "cookie"), plan.operation),
  };
  for (const parameter of plan.parameters) {
    const value = valueOf(parameter);
    if (value !== undefined && value !== null && parameter.in !== "path") place(parameter, value, query, headers, cookies, taken);
  }
  const body = plan.body === undefined ? undefined : buildBody(plan.body, input, plan.operation);
  if (body !== undefined) headers["content-type"] ??= plan.body!.contentType;
  for (const credential of chooseCredentials(plan.security, (name) => typeof own(secrets, name) === "string") ?? []) {
    const { in: where, name, value } = toAdded(credential, own(secrets, credential.secret) as string);
    if (where === "header") headers[name] = value;
    else if (where === "query") query.push(`${encode(name)}=${encode(value)}`);
    else {
      refuseControl([value], `The secret "${credential.secret}"`);
      cookies.push(`${name}=${isCookieText(value) ? value : encode(value)}`);
    }
  }
  if (cookies.length > 0) headers["cookie"] = [...(headers["cookie"] === undefined ? [] : [headers["cookie"]]), ...cookies].join("; ");
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value, plan);
  return {
    method: plan.method,
    url: buildUrl(plan, fillTemplate(plan.path, plan, valueOf), query, baseUrl),
    headers: { ...headers },
    body,
  };
}

/** The names of a place that belong to a parameter or a credential, also to one that is not sent now. */
function takenIn({ parameters, hidden, security }: OperationPlan, place: "query" | "cookie"): readonly string[] {
  return [...parameters, ...hidden, ...security.flat()].filter((one) => one.in === place).map(({ name }) => name);
}

function searchOf(server: string | undefined): string {
  return server !== undefined && URL.canParse(server) ? new URL(server).search.slice(1) : "";
}

function place(
  parameter: ParameterPlan,
  value: unknown,
  query: string[],
  headers: Record<string, string>,
  cookies: string[],
  taken: { readonly query: TakenNames; readonly cookie: TakenNames },
): void {
  const { in: where, name, contentType } = parameter;
  const given = contentType === undefined ? value : contentText(contentType, value);
  const owner = { shown: parameter.property ?? name, name: where === "querystring" ? undefined : name };
  if (where === "query" || where === "querystring") {
    const pairs = where === "query" ? queryPairs(name, given, parameter) : wholeQuery(contentType, value);
    taken.query.take(pairs, owner);
    query.push(...pairs);
  } else if (where === "cookie") {
    refuseControl(textsIn(given), `"${owner.shown}"`);
    const pairs = cookiePairs(name, given, parameter);
    taken.cookie.take(
      pairs.flatMap((pair) => pair.split("&")),
      owner,
    );
    cookies.push(...pairs);
  } else headers[name.toLowerCase()] = headerText(given, parameter);
}

/** The query as one value: the pairs of a form, or one text. */
function wholeQuery(contentType: string | undefined, value: unknown): readonly string[] {
  if (isObject(value) && (contentType === undefined || contentType.includes("form-urlencoded")))
    return queryPairs("", value, { style: "form", explode: true, allowReserved: false });
  const isText = typeof value === "string" && !/json/i.test(contentType ?? "");
  return [encode(isText ? value : toText(contentType === undefined ? value : JSON.stringify(value)))];
}

function buildUrl(plan: OperationPlan, path: string, query: readonly string[], baseUrl: string | undefined): string {
  const server = baseUrl ?? plan.server;
  if (server === undefined || !isWebAddress(server)) {
    const fact =
      server === undefined ? "does not know its server" : "has a baseUrl that is no URL of http or https, or that holds a credential";
    throw new ToolError("CONFIG_INVALID", `${plan.operation} ${fact}. Set baseUrl to the address of the API.`);
  }
  const base = new URL(server);
  const basePath = withoutSlashes(base.pathname);
  const before = `${base.origin}${basePath}`;
  const pairs = [base.search.slice(1), ...query].filter((pair) => pair !== "");
  const url = new URL(`${before}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`);
  const segments = (text: string): number => text.split("/").length;
  // Whatever was overlooked: a URL with another origin, or with fewer segments than were written, is not that of the operation.
  if (url.origin !== base.origin || segments(url.pathname) !== segments(`${basePath}${path}`) || url.hash !== "")
    throw new ToolInputError(`The input of ${plan.operation} would lead to another path than that of the operation.`);
  return url.href;
}

/** Without slashes at its end. An expression for them would try each slash before. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** Encoded they would pass, and break the header of whoever decodes them. */
function refuseControl(texts: readonly string[], shown: string): void {
  if (texts.some((text) => hasControl(text, "\t")))
    throw new ToolInputError(`${shown} is sent as a cookie: it must not contain line breaks or control characters.`);
}

function checkHeader(name: string, value: string, { operation }: OperationPlan): void {
  const refuse = (fact: string): never => {
    throw new ToolInputError(`The ${name === "cookie" ? "cookies" : `header "${name}"`} of ${operation} must not contain ${fact}.`);
  };
  if (hasControl(value, "\t")) refuse("line breaks or control characters");
  // One byte for each character is all that a header has.
  if (/[^\0-\xff]/.test(value)) refuse("characters beyond Latin-1");
}

/** A property that the operation does not have was meant for something: it is not dropped silently. */
function refuseUnknown(plan: OperationPlan, input: JsonObject): void {
  const known = new Set<string | undefined>(plan.parameters.map(({ property }) => property));
  if (plan.body?.property !== undefined) known.add(plan.body.property);
  for (const { property } of plan.body?.spread ?? []) known.add(property);
  const unknown = Object.keys(input).find((name) => !known.has(name) && input[name] !== undefined);
  if (unknown !== undefined) throw new ToolInputError(`${plan.operation} has no parameter ${JSON.stringify(unknown.slice(0, 80))}.`);
}
