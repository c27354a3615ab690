import { type CallContext, ToolError } from "@toolrack/core";
import { outgoingTrace } from "@toolrack/core/internal";
import { FetchError, type SafeFetch, type SafeResponse } from "@toolrack/fetch";
import type { JsonObject } from "../../record/breadcrumb.ts";
import { isObject } from "../../record/json.ts";
import type { ImplementationKind } from "./kind.ts";
import { readEndpoint } from "./_http-url.ts";

/** How a definition says that it is an HTTP endpoint. */
export interface HttpImplementation {
  readonly kind: "http";
  /** Parameters of the path are in braces. */
  readonly endpoint: string;
  /** @default "GET" without a body parameter, else "POST" */
  readonly method?: string;
  /** Parameter → where it goes. @default the query for GET, HEAD and DELETE, else the JSON body; those in braces always the path */
  readonly parameters?: Readonly<Record<string, "path" | "query" | "body" | "header">>;
  readonly headers?: Readonly<Record<string, string>>;
  /** `secret` is a reference, "secret:<name>". */
  readonly auth?: { readonly type: "bearer" | "basic" | "header" | "query"; readonly secret: string; readonly name?: string };
}

/** Definitions that are nothing but an HTTP endpoint. What is fetched goes through `fetch`, which decides where requests may go. */
export function httpKind(fetch: SafeFetch): ImplementationKind {
  return {
    kind: "http",
    secrets: (implementation) => (readAuth(implementation) === undefined ? [] : [readAuth(implementation)!.secret]),
    createHandler(implementation, { context: definition }) {
      const tool = String(definition["name"]);
      const endpoint = readEndpoint(implementation["endpoint"], tool);
      const locations = readLocations(implementation, endpoint.names, tool);
      const auth = readAuth(implementation);
      const method = readMethod(implementation["method"], [...locations.values()].includes("body"), tool);
      const fixedHeaders = isObject(implementation["headers"]) ? (implementation["headers"] as Record<string, string>) : {};
      mustNotShareHeader(auth, [...Object.keys(fixedHeaders), ...headerNames(locations)], tool);
      const defaultLocation = ["GET", "HEAD", "DELETE"].includes(method) ? "query" : "body";

      return async (input, context) => {
        const url = endpoint.fill(input);
        const headers: Record<string, string> = { accept: "application/json", ...fixedHeaders };
        const body: Record<string, unknown> = Object.create(null);
        for (const [name, value] of Object.entries(input)) {
          const location = locations.get(name) ?? defaultLocation;
          if (location === "query") addToQuery(url, name, value);
          else if (location === "header") headers[name] = String(value);
          else if (location === "body") body[name] = value;
        }
        Object.assign(headers, outgoingTrace(context.trace));
        if (auth !== undefined) await authorize(auth, url, headers, context);
        const hasBody = Object.keys(body).length > 0 || (method !== "GET" && method !== "HEAD" && defaultLocation === "body");
        if (hasBody) headers["content-type"] ??= "application/json";
        return read(
          await send(fetch, url, { method, headers, signal: context.signal, ...(hasBody && { body: JSON.stringify(body) }) }, tool),
          tool,
        );
      };
    },
    close: () => fetch.close(),
  };
}

type ParameterLocation = "path" | "query" | "body" | "header";

function readLocations(implementation: JsonObject, inPath: readonly string[], tool: string): ReadonlyMap<string, ParameterLocation> {
  const locations = new Map<string, ParameterLocation>(inPath.map((name) => [name, "path"]));
  for (const [name, location] of Object.entries((implementation["parameters"] ?? {}) as JsonObject)) {
    if (location !== "path" && location !== "query" && location !== "body" && location !== "header")
      throw wrong(tool, `parameters.${name} must be "path", "query", "body" or "header"`);
    if ((location === "path") !== inPath.includes(name))
      throw wrong(tool, `parameters.${name} is ${location === "path" ? "not in the endpoint's path" : "in the endpoint's path"}`);
    locations.set(name, location);
  }
  return locations;
}

function readMethod(method: unknown, hasBody: boolean, tool: string): string {
  const read = method ?? (hasBody ? "POST" : "GET");
  if (typeof read === "string" && /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(read)) return read.toUpperCase();
  throw wrong(tool, "method must be GET, HEAD, POST, PUT, PATCH or DELETE");
}

interface Auth {
  readonly type: string;
  readonly secret: string;
  readonly name: string | undefined;
}

function readAuth({ auth }: JsonObject): Auth | undefined {
  if (auth === undefined) return undefined;
  const { type, secret, name } = (isObject(auth) ? auth : {}) as Record<string, unknown>;
  const needsName = type === "header" || type === "query";
  const isRight =
    (type === "bearer" || type === "basic" || needsName) &&
    typeof secret === "string" &&
    /^secret:./.test(secret) &&
    (!needsName || typeof name === "string");
  if (!isRight)
    throw new ToolError(
      "DEFINITION_INVALID",
      'implementation.auth must be { type: "bearer" | "basic" | "header" | "query", secret: "secret:<name>", name? }.',
    );
  return { type: String(type), secret: String(secret).slice(7), name: name as string | undefined };
}

/** Headers of one name are sent as one, "mine, <secret>": the endpoint would read the secret together with a value of the caller. */
function mustNotShareHeader(auth: Auth | undefined, others: readonly string[], tool: string): void {
  if (auth === undefined || auth.type === "query") return;
  const own = auth.type === "header" ? auth.name!.toLowerCase() : "authorization";
  const other = others.find((name) => name.toLowerCase() === own);
  if (other !== undefined)
    throw wrong(tool, `auth sends the secret in the header ${other}, which is also set by a parameter or by headers`);
}

function headerNames(locations: ReadonlyMap<string, ParameterLocation>): readonly string[] {
  return [...locations].filter(([, location]) => location === "header").map(([name]) => name);
}

async function authorize(auth: Auth, url: URL, headers: Record<string, string>, context: CallContext): Promise<void> {
  const value = await context.secret(auth.secret);
  if (auth.type === "bearer") headers["authorization"] = `Bearer ${value}`;
  else if (auth.type === "basic") headers["authorization"] = `Basic ${Buffer.from(value).toString("base64")}`;
  else if (auth.type === "header") headers[auth.name!.toLowerCase()] = value;
  else url.searchParams.set(auth.name!, value);
}

function addToQuery(url: URL, name: string, value: unknown): void {
  for (const one of Array.isArray(value) ? value : [value])
    url.searchParams.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
}

async function send(fetch: SafeFetch, url: URL, request: Parameters<SafeFetch>[1], tool: string): Promise<SafeResponse> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (!FetchError.is(error)) throw error;
    const code = error.code === "TIMEOUT" ? "TIMEOUT" : error.code === "ABORTED" ? "ABORTED" : "TOOL_FAILED";
    throw new ToolError(code, `Tool "${tool}": ${error.message}`, { cause: error, retryable: error.retryable });
  }
}

function read(response: SafeResponse, tool: string): unknown {
  const text = response.text();
  if (!response.ok) {
    const retryable = [408, 425, 429, 500, 502, 503, 504].includes(response.status);
    const seconds = Number(response.headers["retry-after"]);
    const later = retryable && seconds > 0 ? { retryAfterMs: Math.min(seconds, 3_600) * 1_000 } : {};
    throw new ToolError(
      "TOOL_FAILED",
      `Tool "${tool}": ${new URL(response.url).host} answered ${response.status}${text === "" ? "." : `: ${text.slice(0, 500)}`}`,
      { retryable, ...later },
    );
  }
  if (!/[/+]json\b/.test(response.headers["content-type"] ?? "")) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ToolError("TOOL_FAILED", `Tool "${tool}": the response is labelled as JSON, but is not JSON.`);
  }
}

function wrong(tool: string, fact: string): ToolError {
  return new ToolError("DEFINITION_INVALID", `Tool "${tool}": implementation.${fact}.`);
}
