import { ToolError } from "@toolrack/core";
import { createRequestGuard, type GuardFault, loopbackHosts, type RequestGuard } from "@toolrack/core/internal";

export interface GuardOptions {
  /** Hosts that requests may be addressed to, with or without a port, or "any" where something in front has checked. @default those of this machine */
  readonly allowedHosts?: readonly string[] | "any";
  /** Origins ("https://app.example.com") whose pages may send requests, or "any". @default pages of this machine */
  readonly allowedOrigins?: readonly string[] | "any";
}

export function createGuard({ allowedHosts = loopbackHosts, allowedOrigins }: GuardOptions): RequestGuard {
  if (Array.isArray(allowedOrigins)) allowedOrigins.forEach(checkOrigin);
  return createRequestGuard({
    hosts: allowedHosts,
    origins: allowedOrigins ?? [],
    ...(allowedOrigins === undefined && { pages: "loopback" }),
  });
}

/** Why a request is refused, and which option lets it in. */
export function guardMessage({ kind }: GuardFault): string {
  return kind === "host"
    ? "The Host header names a host that this server does not answer for. Add it to allowedHosts."
    : "The Origin header names a page that may not send requests to this server. Add it to allowedOrigins.";
}

function checkOrigin(text: string): void {
  if (!URL.canParse(text) || new URL(text).origin === "null")
    throw new ToolError("CONFIG_INVALID", `allowedOrigins: "${text}" is not an origin such as "https://app.example.com".`);
}
