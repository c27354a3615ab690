import { shellWord } from "@toolrack/core/internal/shell-word";
import type { EndpointInfo, ScheduleInfo, TriggerInfo } from "@toolrack/server";
import type { Problem } from "./_problem.ts";

/** What runs by itself and that the server had to stop, or whose messages do not arrive. */
export function stoppedProblems(parts: {
  readonly schedules: readonly Pick<ScheduleInfo, "id" | "pausedBy" | "reason">[];
  readonly triggers: readonly Pick<TriggerInfo, "id" | "pausedBy" | "reason">[];
  readonly webhooks: readonly Pick<EndpointInfo, "id" | "pausedBy" | "reason" | "health">[];
}): readonly Problem[] {
  return [
    ...stopped("schedule", "schedules", parts.schedules),
    ...stopped("trigger", "triggers", parts.triggers),
    ...stopped("webhook", "hooks", parts.webhooks),
    ...parts.webhooks
      .filter(({ pausedBy, health }) => pausedBy === undefined && health.state === "failing")
      .map(({ id, health }) => ({
        about: `webhook ${id}`,
        problem: `its messages do not arrive: ${health.lastError ?? "they fail"}`,
        remedy: `toolrack hooks deliveries ${shellWord(id)}`,
      })),
  ];
}

function stopped(
  noun: string,
  command: string,
  parts: readonly { readonly id: string; readonly pausedBy?: "server" | "caller"; readonly reason?: string }[],
): readonly Problem[] {
  return parts
    .filter(({ pausedBy }) => pausedBy === "server")
    .map(({ id, reason = "It cannot go on." }) => ({
      about: `${noun} ${id}`,
      problem: `it is paused: ${reason}`,
      remedy: `Fix it, then run: toolrack ${shellWord(command)} resume ${shellWord(id)}. Or remove it: toolrack ${shellWord(command)} remove ${shellWord(id)}`,
    }));
}
