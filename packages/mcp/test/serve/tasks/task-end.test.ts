import type { ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { endOfTask } from "../../../src/serve/tasks/task-end.ts";
import type { StoredTask } from "../../../src/serve/tasks/task-store.ts";

const task: StoredTask = {
  taskId: "t1",
  owner: "ada",
  tool: "report",
  status: "input_required",
  statusMessage: "Waits for an answer.",
  createdAt: "2026-01-01T00:00:00.000Z",
  lastUpdatedAt: "2026-01-01T00:00:00.000Z",
  ttlMs: 1_000,
  pollIntervalMs: 100,
  inputRequests: { one: { method: "roots/list", params: {} } },
  inputResponses: { one: { roots: [] } },
  revision: 4,
};
const after = { inputRequests: {}, inputResponses: {}, revision: 5, lastUpdatedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/) };

describe("a task whose server is gone", () => {
  it("is completed by the result of its tool, and asks nothing more", () => {
    const { statusMessage: _, ...rest } = task;
    const ended = endOfTask(task, { result: { ok: true, content: "done" } as ToolResult, tool: undefined });
    expect(ended).toEqual({
      ...rest,
      ...after,
      status: "completed",
      result: expect.objectContaining({ content: [{ type: "text", text: "done" }] }),
    });
    expect(ended.lastUpdatedAt > task.lastUpdatedAt).toBe(true);
  });

  it("fails for the reason that is given", () => {
    const reason = "The server that ran this call is gone.";
    expect(endOfTask(task, { reason })).toEqual({
      ...task,
      ...after,
      status: "failed",
      statusMessage: reason,
      error: { code: -32603, message: reason },
    });
  });
});
