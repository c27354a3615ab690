// The public names of @toolrack/fetch, one by one: adding a line here is a decision.

export { isPublicAddress } from "./address/public.ts";
export type { Resolve } from "./address/lookup.ts";
export type { IsOwnAddress } from "./address/reserved.ts";
export { FetchError, type FetchErrorCode, fetchErrorCodes } from "./errors.ts";
export { createSafeFetch, type SafeFetch, type SafeFetchOptions, type SafeRequest, type SafeResponse } from "./fetch/fetch.ts";
