import type { SettingsHost } from "@toolrack/tools";
import type { AgentConfig } from "../../config/agents.ts";
import type { SourceConfig } from "../../config/config.ts";
import { toShownSource } from "../../config/shown-source.ts";
import { proposableKeys } from "../proposals/proposable.ts";
import type { PackHosts, PackSetting } from "./pack.ts";

export function createSettingsHost(parts: () => Pick<PackHosts, "settings" | "proposals">): SettingsHost {
  return {
    async read(_context, key) {
      const isWanted = (setting: PackSetting): boolean => key === undefined || setting.key === key || setting.key.startsWith(`${key}.`);
      return parts().settings.list().filter(isWanted).map(shown);
    },
    schema: () => proposableKeys,
    async propose({ caller }, { changes, note }) {
      const { id, expiresAt } = await parts().proposals.propose({ changes, note, caller });
      return { id, keys: Object.keys(changes), expiresAt: new Date(expiresAt).toISOString() };
    },
  };
}

/** Without credentials, and without what other agents are told. */
function shown({ key, value, origin }: PackSetting): PackSetting {
  if (key.startsWith("sources.")) return { key, value: toShownSource(value as SourceConfig), origin };
  if (!key.startsWith("agents.")) return { key, value, origin };
  const { instructions: _, ...facts } = value as AgentConfig;
  return { key, value: facts, origin };
}
