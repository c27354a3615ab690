import type { Caller, ToolDefinition } from "@toolrack/core";
import { createFileOperations } from "../operations/node-files.ts";
import { underPathRules } from "../workspace/path-rules.ts";
import { inWorkspace } from "../workspace/tool.ts";
import { type BrowserHost, type BrowserHostOptions, createBrowserHost } from "./host.ts";
import { createBrowser } from "./tool.ts";

export interface BrowserOptions extends BrowserHostOptions {
  /** The folder that downloads go to and uploads come from. @default none: neither is possible */
  readonly root?: string;
  /** The folder that `root` must stay in, also when something else takes its place. @default `root` itself, as it was at the beginning */
  readonly within?: string;
  /** Absolute paths of files that are treated as missing. @default none */
  readonly hidden?: readonly string[];
  /** The browser; close it when no tool needs it any more. @default one of its own, which ends after its idle time or with the process */
  readonly host?: BrowserHost;
  /** Called with a function that ends the sessions of callers who are over. */
  readonly onCallersEnd?: (end: (isOver: (caller: Caller) => boolean) => void) => void;
}

/** The tool `browser`. Nothing is started before it opens a page. */
export function createBrowserTools(options: BrowserOptions = {}): readonly ToolDefinition[] {
  const { root, within, hidden, host = createBrowserHost(options), executable } = options;
  options.onCallersEnd?.((isOver) => host.endOf(isOver));
  const parts = { host, hasProgram: executable !== undefined };
  if (root === undefined) return [createBrowser({ ...parts, files: undefined })];
  const disk = createFileOperations({ root, ...(hidden && { hidden }), ...(within !== undefined && { within }) });
  return [
    inWorkspace(
      underPathRules((files) => createBrowser({ ...parts, files }), disk),
      { root, files: disk },
    ),
  ];
}
