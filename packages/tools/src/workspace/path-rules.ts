import { resolve } from "node:path";
import { defineTool, type PathCheck, ToolAuthorizationError, type ToolDefinition } from "@toolrack/core";
import type { FileOperations } from "../operations/files.ts";

/**
 * A tool that is made anew for each call that path rules hold for, over files that obey them. A tool has no other files than those it
 * is made with, so none can forget to ask.
 */
export function underPathRules(create: (files: FileOperations) => ToolDefinition, files: FileOperations): ToolDefinition {
  const tool = create(files);
  return defineTool({
    ...tool,
    handler(input: unknown, context): unknown {
      const { pathRules } = context;
      return (pathRules === undefined ? tool : create(withPathRules(files, pathRules))).handler(input, context);
    },
  });
}

/** The files as a call sees them that these rules hold for. */
export function withPathRules(files: FileOperations, rules: PathCheck | undefined): FileOperations {
  if (rules === undefined) return files;
  const ruled = files.withPathRules?.(rules) ?? askByPath(files, rules);
  origins.set(ruled, originOf(files));
  return ruled;
}

/** What a view of files for one call was made from; all views of the same files share it. */
export function originOf(files: FileOperations): FileOperations {
  return origins.get(files) ?? files;
}

const origins = new WeakMap<FileOperations, FileOperations>();

/** For files that know no links. */
function askByPath(files: FileOperations, rules: PathCheck): FileOperations {
  const sentenceFor = (path: string): string | undefined => rules(resolve(files.root, path), resolve(files.root, path), path);
  const asking = async <Value>(path: string, run: () => Promise<Value>): Promise<Value> => {
    const sentence = sentenceFor(path);
    if (sentence !== undefined) throw new ToolAuthorizationError(sentence);
    return run();
  };
  return {
    root: files.root,
    stat: (path) => asking(path, () => files.stat(path)),
    read: (path, maxBytes) => asking(path, () => files.read(path, maxBytes)),
    list: (path) => asking(path, async () => (await files.list(path)).filter(({ name }) => sentenceFor(`${path}/${name}`) === undefined)),
    stage: (path, bytes, options) => asking(path, () => files.stage(path, bytes, options)),
    remove: (path, options) => asking(path, () => files.remove(path, options)),
  };
}
