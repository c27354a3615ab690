import { ToolError } from "@toolrack/core";
import { FetchError, type SafeRequest, type SafeResponse } from "@toolrack/fetch";
import { hostOf, type HttpOperations, toToolError } from "./http.ts";

/** The web service of a tool: its address comes from the settings, never from a model. */
export interface Service {
  /** As messages name it: "Brave Search". */
  readonly name: string;
  /** Where it is on the public internet. */
  readonly defaultUrl: string;
  /** Where the settings say it is, which may be a private address. */
  readonly baseUrl?: string | undefined;
  readonly http: HttpOperations;
  readonly signal: AbortSignal;
}

/** One request to a service; answers the JSON it sent. Every failure is an error with a code that says what to do about it. */
export async function callService(service: Service, path: string, request: SafeRequest): Promise<unknown> {
  const response = await answerOf(service, path, request);
  if (!response.ok) throw refusalOf(service, response);
  return readJson(service, response);
}

/** The same for an answer that is not JSON, such as a sound. */
export async function readService(service: Service, path: string, request: SafeRequest): Promise<SafeResponse> {
  const response = await answerOf(service, path, request);
  if (!response.ok) throw refusalOf(service, response);
  return response;
}

/** The same as `callService`, with what a refusal says handed to the caller, who may know what to do about it. */
export async function askService(
  service: Service,
  path: string,
  request: SafeRequest,
): Promise<{ readonly status: number; readonly body: unknown; fail(): ToolError }> {
  const response = await answerOf(service, path, request);
  const body = response.ok || isJson(response) ? readJson(service, response) : undefined;
  return { status: response.status, body, fail: () => refusalOf(service, response) };
}

async function answerOf(service: Service, path: string, request: SafeRequest): Promise<SafeResponse> {
  const { baseUrl, defaultUrl, http, signal } = service;
  const host = baseUrl === undefined ? undefined : hostOf(baseUrl, "baseUrl");
  try {
    // Redirects are not followed: the key would be sent to the other address.
    const sent = { ...request, signal, redirect: "error" as const, maxBytes: request.maxBytes ?? maxBytes };
    return await http.request(`${(baseUrl ?? defaultUrl).replace(/\/$/, "")}${path}`, sent, host);
  } catch (error) {
    if (FetchError.is(error) && error.code === "HEADER_INVALID")
      throw new ToolError("NEEDS_CONFIGURATION", `The key of ${service.name} holds a character that cannot be sent. Check the secret.`);
    throw toToolError(error);
  }
}

const maxBytes = 4_194_304;

function isJson({ headers }: SafeResponse): boolean {
  return /[/+]json\b/.test(headers["content-type"] ?? "");
}

function readJson({ name }: Service, response: SafeResponse): unknown {
  try {
    return JSON.parse(response.text()) as unknown;
  } catch (error) {
    throw new ToolError("TOOL_FAILED", `${name} answered with something that is not JSON.`, { cause: error });
  }
}

function refusalOf({ name }: Service, response: SafeResponse): ToolError {
  const { status } = response;
  const said = messageIn(response);
  const because = said === undefined ? "" : `: ${said}`;
  if (status === 401 || status === 403)
    return new ToolError("NEEDS_CONFIGURATION", `${name} refused the key (${status})${because}. Check the secret and its rights.`);
  if (status === 429) {
    const retryAfterMs = waitOf(response);
    return new ToolError("RATE_LIMITED", `${name} asks to wait before the next request (429)${because}.`, {
      retryable: true,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }
  const retryable = status === 408 || status >= 500;
  return new ToolError("TOOL_FAILED", `${name} refused the request (${status})${because}.`, { retryable });
}

/** { error: { message } }, { error: "…" }, { detail: "…" } and { message } are what services say. */
function messageIn(response: SafeResponse): string | undefined {
  if (!isJson(response)) return undefined;
  try {
    const body = JSON.parse(response.text()) as { error?: { message?: unknown } | string; detail?: unknown; message?: unknown } | null;
    const error = body?.error;
    const said = typeof error === "object" ? error?.message : (error ?? body?.detail ?? body?.message);
    return typeof said === "string" ? said.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 300) : undefined;
  } catch {
    return undefined;
  }
}

function waitOf({ headers }: SafeResponse): number | undefined {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 86_400) * 1_000 : undefined;
}
