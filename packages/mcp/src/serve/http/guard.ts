import { ToolError } from "@toolrack/core";

export interface GuardOptions {
  /** Host names that requests may be addressed to, or "any" where something in front has checked. @default those of this machine */
  readonly allowedHosts?: readonly string[] | "any";
  /** Origins ("https://app.example.com") whose pages may ask, or "any". @default pages of this machine */
  readonly allowedOrigins?: readonly string[] | "any";
}

/** Why a request is turned away; undefined: it may pass. A page that talks to this machine under another name is not let in. */
export type Guard = (host: string | undefined, origin: string | undefined) => string | undefined;

export function createGuard({ allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const hosts = allowedHosts === "any" ? undefined : new Set((allowedHosts ?? loopbackHosts).map((host) => host.toLowerCase()));
  const origins = allowedOrigins === undefined || allowedOrigins === "any" ? undefined : new Set(allowedOrigins.map(toOrigin));
  // Clients send the same two headers over and over.
  let latest: { readonly host: string | undefined; readonly origin: string | undefined; readonly verdict: string | undefined } | undefined;

  function judge(host: string | undefined, origin: string | undefined): string | undefined {
    if (hosts !== undefined && !hosts.has(hostnameOf(`http://${host ?? ""}`) ?? "")) {
      return "The Host header names a host that this server does not answer for. Add it to allowedHosts.";
    }
    if (origin === undefined || allowedOrigins === "any") return undefined;
    const isAllowed = origins === undefined ? loopbackHosts.includes(hostnameOf(origin) ?? "") : origins.has(origin.toLowerCase());
    return isAllowed ? undefined : "The Origin header names a page that may not ask this server. Add it to allowedOrigins.";
  }

  return (host, origin) => {
    if (latest === undefined || latest.host !== host || latest.origin !== origin) latest = { host, origin, verdict: judge(host, origin) };
    return latest.verdict;
  };
}

/** How this machine calls itself. */
export const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

function hostnameOf(url: string): string | undefined {
  try {
    const { hostname, pathname, username } = new URL(url);
    return pathname === "/" && username === "" ? hostname : undefined;
  } catch {
    return undefined;
  }
}

function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.origin === "null") {
    throw new ToolError("CONFIG_INVALID", `allowedOrigins: "${text}" is not an origin such as "https://app.example.com".`);
  }
  return url.origin;
}
