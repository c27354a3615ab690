import { isIP } from "node:net";
import type { HttpRequest } from "../transport/exchange.ts";
import { Problem } from "../reply/problem.ts";

export interface GuardOptions {
  /** Names beside the loopback ones that the server answers for, with or without a port: "tools.example.com". */
  readonly allowedHosts?: readonly string[];
  /** Other origins whose pages may use the API: "https://admin.example.com". */
  readonly allowedOrigins?: readonly string[];
  /** Whether any IP address is accepted as Host: for servers that listen on every address. An address cannot be rebound. */
  readonly allowAddresses?: boolean;
}

/** Refuses requests that a web page of somebody else made: by a rebound name (Host) or across origins (Origin). For every route. */
export type Guard = (request: Pick<HttpRequest, "header" | "hostFault">) => void;

export function createGuard({ allowedHosts = [], allowedOrigins = [], allowAddresses = false }: GuardOptions = {}): Guard {
  const hosts = new Set([...loopbackHosts, ...allowedHosts.map((host) => host.toLowerCase())]);
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));
  return (request) => {
    const fault = request.hostFault?.();
    if (fault !== undefined)
      throw new Problem(400, "HOST_AMBIGUOUS", `The host of the request is ambiguous: ${fault}. Send one Host header.`);
    const host = hostOf(request);
    const name = withoutPort(host);
    if (!hosts.has(name) && !hosts.has(host) && !(allowAddresses && isIP(unbracketed(name)) !== 0)) {
      throw new Problem(
        403,
        "HOST_REFUSED",
        `This server does not answer for the host "${name.slice(0, 80)}". Use one of its own names, or add that one to server.allowedHosts in the configuration and restart the server.`,
      );
    }
    const origin = request.header("origin")?.toLowerCase();
    if (origin !== undefined && hostOfOrigin(origin) !== host && !origins.has(origin)) throw refuseOrigin(origin);
    // Pages send no Origin with a plain GET; browsers say where it came from all the same. Following a link is fine.
    if (request.header("sec-fetch-site") === "cross-site" && origin === undefined && request.header("sec-fetch-mode") !== "navigate")
      throw refuseOrigin("another site");
  };
}

const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** What the client calls the server: "localhost:7333". */
function hostOf(request: Pick<HttpRequest, "header">): string {
  return request.header("host")?.toLowerCase() ?? "";
}

/** Whether the client calls the server by a name of this machine itself. */
export function isForLoopback(request: Pick<HttpRequest, "header">): boolean {
  return loopbackHosts.includes(withoutPort(hostOf(request)));
}

/** "127.0.0.1", "::1", "::ffff:127.0.0.1" and all of 127.0.0.0/8. */
export function isLoopbackAddress(address: string): boolean {
  if (address === "127.0.0.1") return true;
  const plain = address.startsWith("::ffff:") ? address.slice(7) : unbracketed(address);
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

function refuseOrigin(origin: string): Problem {
  return new Problem(
    403,
    "ORIGIN_REFUSED",
    `Pages of ${origin.slice(0, 80)} may not use this server. If they should, add the origin to server.allowedOrigins in the configuration and restart the server.`,
  );
}

/** "localhost:8080" → "localhost"; "[::1]:8080" → "[::1]". What is no port stays: "127.0.0.1:80@evil.example" is no name of this machine. */
function withoutPort(host: string): string {
  return /^(.*[^:]):\d{0,5}$/.exec(host)?.[1] ?? host;
}

function unbracketed(name: string): string {
  return name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
}

/** "http://localhost:8080" → "localhost:8080"; "null" → undefined */
function hostOfOrigin(origin: string): string | undefined {
  return /^https?:\/\//.test(origin) ? origin.slice(origin.indexOf("//") + 2) : undefined;
}
