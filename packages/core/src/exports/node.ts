/** What needs Node: files, programs on the PATH, modules, threads, timers and the event loop. */

export { grammarInThread, type InThreadOptions } from "../grammar/in-thread.ts";
export { createPathResolver, type PathResolver } from "../policy/paths/resolve.ts";
export { type Capabilities, type CapabilityCheck, type CapabilityOptions, createCapabilities } from "../registry/capabilities.ts";
export { type LoadedPlugins, loadPlugins, type LoadPluginsOptions } from "../sources/plugin.ts";
export type { PluginApi, PluginDiagnostic, PluginModule, PluginReference, PluginToolFactory } from "../sources/plugin/api.ts";
export { type Boundary, createBoundary } from "../util/boundary.ts";
export { type Clock, systemClock } from "../util/clock.ts";
export { heavyTurn, isLargeJson, largeBytes } from "../util/heavy-turn.ts";
export { openInside, type OpenInsideFlags, type OpenInsideOptions } from "../util/open-inside.ts";
export { createHiddenPaths, type HiddenPaths } from "../util/path-hidden.ts";
export { type InsideResult, resolveInside, type RootCheck } from "../util/path-inside.ts";
