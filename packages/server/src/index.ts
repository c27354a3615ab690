// The public names of @toolrack/server, one by one: adding a line here is a decision.

export { type App, type AppOptions, createApp } from "./app.ts";
export { ServerError, type ServerErrorCode, serverErrorCodes } from "./errors.ts";
export { serve, type Served, type ServeOptions } from "./serve.ts";
