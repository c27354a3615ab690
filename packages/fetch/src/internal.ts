/**
 * Parts that the packages of this repository share. They may change with every version, without a word in the changelog: import nothing
 * from here in a program of your own.
 */
export { readUrl, refusedAddress } from "./address/check-url.ts";
export { type AllowedHosts, readAllowedHosts } from "./address/hosts.ts";
export { createLookup, createSafeLookup, systemResolve } from "./address/lookup.ts";
export { refusedMetadata, refusedOwn } from "./address/reserved.ts";
export { isWebAddress } from "./address/web-address.ts";
export { readBody } from "./fetch/body.ts";
