import { isIP } from "node:net";
import { isPublicAddress } from "@toolrack/fetch";
import type { AllowedHosts } from "@toolrack/fetch/internal";
import type { Breadcrumb } from "@toolrack/store";

/** Names that are resolved only inside a network. */
const innerName = /^localhost$|\.(?:localhost|local|internal|lan|home|test)$|^[^.]+$/;

/**
 * The host of an HTTP definition that is not on the public internet and not allowed either, as far as its name tells: when it is called,
 * the address that it resolves to decides.
 */
export function privateHostOf({ context }: Pick<Breadcrumb, "context">, allowed: AllowedHosts): string | undefined {
  const { kind, endpoint } = (context["implementation"] ?? {}) as { readonly kind?: unknown; readonly endpoint?: unknown };
  if (kind !== "http" || typeof endpoint !== "string") return undefined;
  const text = endpoint.replaceAll(/[{}]/g, "x");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url === undefined || allowed.has(url) || !isPrivate(url) ? undefined : url.host;
}

/** Whether an address is not on the public internet, as far as it tells. */
export function isPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return isIP(host) === 0 ? innerName.test(host) : !isPublicAddress(host);
}
