import type { ReadConfig } from "../../config/read.ts";
import { moduleSourceId } from "../modules/loaded-modules.ts";

/** Where a source is configured that is not under `sources`: "toolrack.config.yaml:12"; "default" for what is there without being named. */
export function builtInOrigin({ config: { tools = {} }, originOf }: Pick<ReadConfig, "config" | "originOf">): (id: string) => string {
  const modules = new Map(tools.modules?.map((specifier, index) => [moduleSourceId(specifier), index]));
  return (id) => {
    const index = modules.get(id);
    if (index !== undefined) return originOf(["tools", "modules", index]);
    if (id === "packs" && tools.packs !== undefined) return originOf(["tools", "packs"]);
    if (id.startsWith("pack:")) return originOf(["tools", "packs", id.slice("pack:".length)]);
    return id.startsWith("plugin:") && tools.plugins !== undefined ? originOf(["tools", "plugins"]) : "default";
  };
}
