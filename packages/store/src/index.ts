// The public names of @toolrack/store, one by one: adding a line here is a decision.

export { StoreError, type StoreErrorCode, storeErrorCodes } from "./errors.ts";
