import { FetchError } from "../errors.ts";

/** Hosts that may be reached although their address is not public: "localhost:8080", "10.0.0.7", "wiki.internal". */
export interface AllowedHosts {
  has(url: URL): boolean;
  /** Whether an entry is this host, with or without a port. */
  hasHost(host: string): boolean;
  /** Whether an entry is this host with this port. */
  hasExactly(host: string, port: number): boolean;
}

/** Entries name a host, or a host and port; an entry without a port holds for every port. There are no wildcards. */
export function readAllowedHosts(entries: readonly string[] = []): AllowedHosts {
  const allowed = new Set(entries.map(readEntry));
  const hosts = new Set([...allowed].map((entry) => entry.replace(/:\d+$/, "")));
  return {
    has: (url) => allowed.has(hostOf(url)) || allowed.has(`${hostOf(url)}:${portOf(url)}`),
    hasHost: (host) => hosts.has(inUrl(host)),
    hasExactly: (host, port) => allowed.has(`${inUrl(host)}:${port}`),
  };
}

/** "::1" → "[::1]" */
function inUrl(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host.replace(/\.$/, "");
}

/** Brings an entry into the form that URLs have: "LOCALHOST:80" → "localhost:80", "127.1" → "127.0.0.1". */
function readEntry(entry: string): string {
  const [, host, port] = /^(\[[^\]]+\]|[^\s:/@?#\\*]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const url = host === undefined || !URL.canParse(`http://${host}`) ? undefined : new URL(`http://${host}`);
  if (url === undefined)
    throw new FetchError(
      "URL_INVALID",
      `The allowed host ${JSON.stringify(entry)} must be a host, or a host and a port, such as "localhost:8080".`,
    );
  return port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}`;
}

/** Without the dot that may end a name. */
function hostOf({ hostname }: URL): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
