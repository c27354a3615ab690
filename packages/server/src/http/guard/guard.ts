import { createRequestGuard, isLoopbackHost, loopbackHosts } from "@toolrack/core/internal";
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
  const findFault = createRequestGuard({
    hosts: [...loopbackHosts, ...allowedHosts],
    acceptsAddresses: allowAddresses,
    origins: allowedOrigins,
    pages: "same-host",
  });
  return (request) => {
    const fault = request.hostFault?.();
    if (fault !== undefined)
      throw new Problem(400, "HOST_AMBIGUOUS", `The host of the request is ambiguous: ${fault}. Send one Host header.`);
    const refused = findFault((name) => request.header(name));
    if (refused !== undefined) throw refused.kind === "host" ? refuseHost(refused.name) : refuseOrigin(refused.name);
  };
}

/** Whether the client calls the server by a name of this machine itself. */
export function isForLoopback(request: Pick<HttpRequest, "header">): boolean {
  return isLoopbackHost(request.header("host") ?? "");
}

function refuseHost(name: string): Problem {
  return new Problem(
    403,
    "HOST_REFUSED",
    `This server does not answer for the host "${name.slice(0, 80)}". Use one of its own names, or add that one to server.allowedHosts in the configuration and restart the server.`,
  );
}

function refuseOrigin(origin: string): Problem {
  return new Problem(
    403,
    "ORIGIN_REFUSED",
    `Pages of ${origin.slice(0, 80)} may not use this server. If they should, add the origin to server.allowedOrigins in the configuration and restart the server.`,
  );
}
