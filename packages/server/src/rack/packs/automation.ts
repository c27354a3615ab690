import { createAutomationTools } from "@toolrack/tools";
import { createNodesHost } from "./_nodes-host.ts";
import { createSchedulesHost } from "./_schedules-host.ts";
import { createSettingsHost } from "./_settings-host.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (_config, { registry, hosts }) => {
  if (hosts === undefined) return [];
  return createAutomationTools({
    schedules: createSchedulesHost(hosts),
    settings: createSettingsHost(hosts),
    nodes: createNodesHost(registry, () => hosts().sources),
  });
};
