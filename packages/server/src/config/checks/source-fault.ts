import type { SourceConfig } from "../config.ts";
import { findUnpinnedPackage } from "./unpinned-package.ts";

/** What a schema cannot say in a way that people understand. */
export function findSourceFault(id: string, source: SourceConfig): string | undefined {
  const { command, url, args, env, cwd, headers, allowHosts, allowUnpinned } = source;
  if (!/^(?=.{1,32}$)[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/.test(id))
    return `sources.${id.slice(0, 80)}: an id is 1 to 32 letters and digits, with single - or _ between.`;
  if (url !== undefined && !URL.canParse(url)) return `sources.${id} has a url that is none.`;
  if (command === undefined && url === undefined) return `sources.${id} needs a command or a url.`;
  if (command !== undefined && url !== undefined) return `sources.${id} has a command and a url; keep one of them.`;
  if (url !== undefined && (args ?? env ?? cwd) !== undefined) return `sources.${id} has a url; args, env and cwd belong to a command.`;
  if (command !== undefined && (headers ?? allowHosts) !== undefined)
    return `sources.${id} has a command; headers and allowHosts belong to a url.`;
  const unpinned = allowUnpinned === true ? undefined : findUnpinnedPackage(source);
  if (unpinned !== undefined)
    return `sources.${id} fetches the package ${JSON.stringify(unpinned.slice(0, 80))} without an exact version, so each start may run another program. Name a version, such as "package@1.2.3", or set allowUnpinned: true.`;
  return undefined;
}
