import type { SourceConfig } from "../config.ts";
import { findOpenApiFault } from "../openapi-source.ts";
import { findWorkerFault } from "../worker-source.ts";
import { findUnpinnedPackage } from "./unpinned-package.ts";

/** Mistakes in a source that a schema cannot explain well. */
export function findSourceFault(id: string, source: SourceConfig): string | undefined {
  const { type = "mcp", options, enabled: _, trust: __, required: ___, openapi, workers, paths, ...mcp } = source;
  const { command, url, args, env, cwd, headers, allowHosts, allowUnpinned } = mcp;
  if (!/^(?=.{1,32}$)[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/.test(id))
    return `sources.${id.slice(0, 80)}: an id is 1 to 32 letters and digits, with single - or _ between.`;
  if (openapi !== undefined && workers !== undefined) return `sources.${id} has openapi and workers; keep one of them.`;
  if (paths !== undefined && (workers !== undefined || type !== "mcp"))
    return `sources.${id}.paths can be set for MCP servers and OpenAPI documents only. Set metadata.paths in the tools themselves.`;
  if (openapi !== undefined || workers !== undefined) {
    const kind = workers === undefined ? "openapi" : "workers";
    const foreign = Object.keys({ ...(source.type !== undefined && { type }), ...(options !== undefined && { options }), ...mcp });
    if (foreign.length > 0)
      return `sources.${id} has ${kind}; ${foreign.join(", ")} cannot be set beside it. What concerns ${workers === undefined ? "the API" : "the workers"} belongs under ${kind}.`;
    return openapi === undefined ? findWorkerFault(id, workers!) : findOpenApiFault(id, openapi)?.fact;
  }
  if (type !== "mcp") {
    const foreign = Object.keys(mcp);
    if (foreign.length === 0) return undefined;
    return `sources.${id} has the type "${type.slice(0, 80)}"; ${foreign.join(", ")} can be set for MCP servers only. Put the settings of this type under options.`;
  }
  if (options !== undefined) return `sources.${id}.options needs a type that a module of tools.modules adds. Set sources.${id}.type.`;
  if (url !== undefined && !URL.canParse(url)) return `sources.${id} has a url that is none.`;
  if (command === undefined && url === undefined) return `sources.${id} needs a command, a url, openapi or workers.`;
  if (command !== undefined && url !== undefined) return `sources.${id} has a command and a url; keep one of them.`;
  if (url !== undefined && (args ?? env ?? cwd) !== undefined) return `sources.${id} has a url; args, env and cwd belong to a command.`;
  if (command !== undefined && (headers ?? allowHosts) !== undefined)
    return `sources.${id} has a command; headers and allowHosts belong to a url.`;
  const unpinned = allowUnpinned === true ? undefined : findUnpinnedPackage(source);
  if (unpinned !== undefined)
    return `sources.${id} fetches the package ${JSON.stringify(unpinned.slice(0, 80))} without an exact version, so each start may run another program. Name a version, such as "package@1.2.3", or set allowUnpinned: true.`;
  return undefined;
}
