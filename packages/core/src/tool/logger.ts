import type { Logger } from "./context.ts";

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
