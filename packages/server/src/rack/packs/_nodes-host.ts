import type { Registry } from "@toolrack/core";
import type { NodesHost } from "@toolrack/tools";
import type { PackHosts } from "./pack.ts";

/** Sources that are other machines or programs, by the tools of them that a caller may use. */
export function createNodesHost(registry: Registry, sources: () => PackHosts["sources"]): NodesHost {
  return {
    async list({ caller }) {
      const view = registry.view(caller);
      return sources()
        .list()
        .filter(({ kind }) => !ownKinds.has(kind))
        .map(({ id, kind, state, tools }) => ({
          id,
          kind,
          state,
          tools: tools.flatMap((name) => {
            const tool = view.offered(name);
            return tool === undefined ? [] : [{ name, description: tool.description.slice(0, 300) }];
          }),
        }))
        .filter(({ tools }) => tools.length > 0);
    },
  };
}

/** What runs here, or is only described here. */
const ownKinds: ReadonlySet<string> = new Set(["built-in", "openapi", "module", "plugin"]);
