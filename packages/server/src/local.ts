// A rack and its API for one program, without a socket, a log or tokens: what `toolrack list` starts with.

export { type App, type AppOptions, createApp } from "./app.ts";
export type { HttpRequest, WholeReply } from "./http/exchange.ts";
export { type Identity, ownerOf } from "./http/identity.ts";
export { openRack, type OpenRackOptions } from "./rack/open.ts";
export {
  backUpTo,
  copyBetween,
  type CopyBetweenOptions,
  restoreFrom,
  type RestoreFileOptions,
  type WholeStoreOptions,
} from "./rack/whole-store.ts";
