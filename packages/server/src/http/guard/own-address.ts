import { findPublicUrlFault } from "../../config/checks/public-url.ts";
import { ServerError } from "../../errors.ts";
import type { GuardOptions } from "./guard.ts";

/** The address that clients use, if it is configured. */
export interface OwnAddress {
  /** "https://tools.example.com", without a slash at its end. */
  readonly origin: string;
  /** "tools.example.com", with its port if it has one. */
  readonly host: string;
}

export function readOwnAddress(publicUrl: string | undefined): OwnAddress | undefined {
  if (publicUrl === undefined) return undefined;
  const fault = findPublicUrlFault(publicUrl);
  if (fault !== undefined) throw new ServerError("PUBLIC_URL_INVALID", fault);
  const { origin, host } = new URL(publicUrl);
  return { origin, host };
}

/** Allows the public host and origin of the server, also if a proxy forwards another Host. */
export function withOwnAddress(options: GuardOptions, own: OwnAddress | undefined): GuardOptions {
  if (own === undefined) return options;
  const { allowedHosts = [], allowedOrigins = [] } = options;
  return { ...options, allowedHosts: [...allowedHosts, own.host], allowedOrigins: [...allowedOrigins, own.origin] };
}
