import type { ToolDefinition } from "@toolrack/core";
import { createCron } from "./cron.ts";
import { createGateway } from "./gateway.ts";
import { createNodes } from "./nodes.ts";
import type { NodesHost } from "./nodes-host.ts";
import type { SchedulesHost } from "./schedules-host.ts";
import type { SettingsHost } from "./settings-host.ts";

export interface AutomationOptions {
  /** @default none, and no tool `cron` */
  readonly schedules?: SchedulesHost;
  /** @default none, and no tool `gateway` */
  readonly settings?: SettingsHost;
  /** @default none, and no tool `nodes` */
  readonly nodes?: NodesHost;
}

/** cron, gateway and nodes: each one where its host is. */
export function createAutomationTools({ schedules, settings, nodes }: AutomationOptions): readonly ToolDefinition[] {
  return [
    ...(schedules === undefined ? [] : [createCron(schedules)]),
    ...(settings === undefined ? [] : [createGateway(settings)]),
    ...(nodes === undefined ? [] : [createNodes(nodes)]),
  ];
}
