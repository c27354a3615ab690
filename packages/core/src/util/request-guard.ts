import { isIP } from "node:net";

export interface RequestGuardOptions {
  /** Names that the server answers for, with or without a port; "any" where something in front of it has checked. */
  readonly hosts: readonly string[] | "any";
  /** Whether any IP address is accepted as Host: an address cannot be rebound. @default false */
  readonly acceptsAddresses?: boolean;
  /** Origins whose pages may send requests, or "any". */
  readonly origins: readonly string[] | "any";
  /** Pages that may send requests beside those: of the host that the request is for, or of this machine. @default none */
  readonly pages?: "same-host" | "loopback";
}

/** The header that a request is refused for, and what it names. */
export interface GuardFault {
  readonly kind: "host" | "origin";
  readonly name: string;
}

/** Finds requests that were made by a foreign web page: by DNS rebinding (Host) or across origins (Origin). Undefined: the request may pass. */
export type RequestGuard = (header: (name: string) => string | undefined) => GuardFault | undefined;

export function createRequestGuard({ hosts, acceptsAddresses = false, origins, pages }: RequestGuardOptions): RequestGuard {
  const known = hosts === "any" ? undefined : new Set(hosts.map(toHostKey));
  const pagesOf = origins === "any" ? undefined : new Set(origins.map(toOrigin));
  // Clients send the same headers over and over.
  let latest:
    | { readonly host: string | undefined; readonly origin: string | undefined; readonly fault: GuardFault | undefined }
    | undefined;

  function isKnownHost(host: string): boolean {
    if (known === undefined) return true;
    const read = readHost(host);
    if (read === undefined) return false;
    const { name, port } = read;
    return known.has(name) || known.has(`${name}:${port}`) || (acceptsAddresses && isIP(withoutBrackets(name)) !== 0);
  }

  function isKnownPage(origin: string, host: string): boolean {
    if (pagesOf === undefined || pagesOf.has(origin)) return true;
    if (!/^https?:\/\//.test(origin)) return false;
    const ofPage = origin.slice(origin.indexOf("//") + 2);
    return pages === "same-host" ? ofPage === host : pages === "loopback" && isLoopbackHost(ofPage);
  }

  function judge(host: string | undefined, origin: string | undefined): GuardFault | undefined {
    const wanted = host?.toLowerCase() ?? "";
    if (!isKnownHost(wanted)) return { kind: "host", name: readHost(wanted)?.name ?? wanted };
    const page = origin?.toLowerCase();
    return page === undefined || isKnownPage(page, wanted) ? undefined : { kind: "origin", name: page };
  }

  return (header) => {
    const [host, origin] = [header("host"), header("origin")];
    if (latest === undefined || latest.host !== host || latest.origin !== origin) latest = { host, origin, fault: judge(host, origin) };
    if (latest.fault !== undefined || origin !== undefined || pagesOf === undefined) return latest.fault;
    // Pages send no Origin with a plain GET; browsers say where it came from all the same. Following a link is fine.
    const isForeign = header("sec-fetch-site") === "cross-site" && header("sec-fetch-mode") !== "navigate";
    return isForeign ? { kind: "origin", name: "another site" } : undefined;
  };
}

/** The names of this machine in a URL. */
export const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** "localhost:7333" → true. What is no port stays: "127.0.0.1:80@evil.example" is no name of this machine. */
export function isLoopbackHost(host: string): boolean {
  return loopbackHosts.includes(readHost(host.toLowerCase())?.name ?? "");
}

/** "127.0.0.1", "::1", "::ffff:127.0.0.1" and all of 127.0.0.0/8. */
export function isLoopbackAddress(address: string): boolean {
  if (address === "127.0.0.1") return true;
  const plain = address.startsWith("::ffff:") ? address.slice(7) : withoutBrackets(address);
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** "https://Admin.example:443/" → "https://admin.example", as browsers write it. What is no URL stays, in lower case. */
export function toOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  return origin === "null" ? text.toLowerCase().replace(/\/$/, "") : origin;
}

/** "Tools.example.com:8443" → "tools.example.com:8443" */
function toHostKey(entry: string): string {
  const read = readHost(entry.toLowerCase());
  if (read === undefined) return entry.toLowerCase();
  return read.port === undefined ? read.name : `${read.name}:${read.port}`;
}

/** "[::1]:8080" → { name: "[::1]", port: "8080" }; undefined for what is not a host, or a host and a port. */
function readHost(host: string): { readonly name: string; readonly port: string | undefined } | undefined {
  const [, name, port] = /^(\[[^\]]+\]|[^\s:/@?#\\[\]]+)(?::(\d{0,5}))?$/.exec(host) ?? [];
  if (name === undefined || !URL.canParse(`http://${name}`)) return undefined;
  return { name: loopbackHosts.includes(name) ? name : new URL(`http://${name}`).hostname, port };
}

function withoutBrackets(name: string): string {
  return name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
}
