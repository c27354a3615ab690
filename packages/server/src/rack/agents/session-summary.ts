import { sessionKind } from "@toolrack/core/internal";
import type { Session } from "@toolrack/store";
import type { ChildRun, SessionSummary } from "@toolrack/tools";
import type { Spawned } from "./host-state.ts";

/** @param model the one that its next run has */
export function toSummary(session: Session, model: string | undefined): SessionSummary {
  const { id, key, agent, label, status, usage, createdAt, updatedAt } = session;
  const { inputTokens, outputTokens, costUsd } = usage;
  return {
    id,
    key,
    agent,
    kind: sessionKind(key),
    ...(label !== undefined && { label }),
    status,
    ...(model !== undefined && { model }),
    createdAt,
    updatedAt,
    tokens: inputTokens + outputTokens,
    ...(costUsd !== undefined && { costUsd }),
  };
}

/** A session that stays after its answer counts as ended with its last change. */
export function toChildRun(session: Session, spawned: Spawned | undefined, model: string | undefined): ChildRun {
  const { id, key, label, agent, status, createdAt, updatedAt, endedAt = updatedAt, result } = session;
  const isRunning = status === "running" || status === "waiting" || (status === "idle" && session.inbox > 0);
  return {
    id,
    sessionKey: key,
    ...(label !== undefined && { label }),
    task: spawned?.task ?? "",
    agent,
    ...(model !== undefined && { model }),
    status: isRunning ? "running" : childStatus(result?.status),
    startedAt: createdAt,
    ...(!isRunning && { endedAt }),
  };
}

function childStatus(status: string | undefined): ChildRun["status"] {
  return status === "failed" || status === "timeout" || status === "cancelled" ? status : "done";
}
