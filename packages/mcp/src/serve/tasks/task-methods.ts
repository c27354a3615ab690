import type { Registry } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import { type JsonObject, tasksExtension } from "../../wire/protocol.ts";
import { fits } from "../client/inputs.ts";
import type { Exchange } from "../exchange.ts";
import { changeTask } from "./change-task.ts";
import { isOver, type StoredTask, type TaskStore } from "./task-store.ts";

/** Whose tasks these are, and the registry that says which tools their callers may know of. */
export interface TaskParts {
  readonly store: TaskStore;
  readonly registry: Pick<Registry, "view">;
}

/** `tasks/get`: the status of a task, with its questions, its result or its error. */
export async function getTask(parts: TaskParts, exchange: Exchange): Promise<JsonObject> {
  const task = await visibleTask(parts, exchange);
  return {
    ...toTaskFields(task),
    ...(task.status === "input_required" && { inputRequests: task.inputRequests }),
    ...(task.result !== undefined && { result: task.result }),
    ...(task.error !== undefined && { error: task.error }),
  };
}

/** `tasks/update`: stores the answers that fit a question, and ignores all others. */
export async function updateTask(parts: TaskParts, exchange: Exchange): Promise<JsonObject> {
  const { store } = parts;
  const { taskId } = await visibleTask(parts, exchange);
  const given = exchange.params["inputResponses"];
  if (!isObject(given)) throw new McpError("invalidParams", "inputResponses must be an object.");
  await changeTask(store, taskId, (task) => {
    const answered = Object.keys(task.inputRequests).filter(
      (key) => Object.hasOwn(given, key) && fits(task.inputRequests[key]!, given[key]),
    );
    if (answered.length === 0) return undefined;
    const inputRequests = Object.fromEntries(Object.entries(task.inputRequests).filter(([key]) => !answered.includes(key)));
    const inputResponses = { ...task.inputResponses, ...Object.fromEntries(answered.map((key) => [key, given[key]])) };
    return { inputRequests, inputResponses, status: Object.keys(inputRequests).length === 0 ? "working" : "input_required" };
  });
  return {};
}

/** `tasks/cancel`: the same answer whether the task was still running or not. It shows nothing, so a tool that is hidden by now can be ended. */
export async function cancelTask({ store }: TaskParts, exchange: Exchange): Promise<JsonObject> {
  const { taskId } = await ownTask(store, exchange);
  await changeTask(store, taskId, () => ({ status: "cancelled", statusMessage: "The client cancelled it.", inputRequests: {} }));
  return {};
}

/** What every surface shows of a task. */
export function toTaskFields({ taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }: StoredTask): JsonObject {
  const poll = isOver({ status }) ? {} : { pollIntervalMs };
  return { taskId, status, ...(statusMessage !== undefined && { statusMessage }), createdAt, lastUpdatedAt, ttlMs, ...poll };
}

/** Whether the client can be given a task instead of a result. */
export function supportsTasks({ era, capabilities }: Pick<Exchange, "era" | "capabilities">): boolean {
  const extensions = capabilities["extensions"];
  return era === "modern" && isObject(extensions) && isObject(extensions[tasksExtension]);
}

export function tasksRequired(): McpError {
  const message = `The client does not declare the extension "${tasksExtension}".`;
  return new McpError("missingCapability", message, { requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

/** A task whose tool was hidden from the caller since is not shown, finished or not. */
async function visibleTask({ store, registry }: TaskParts, exchange: Exchange): Promise<StoredTask> {
  const task = await ownTask(store, exchange);
  if (!registry.view(exchange.caller).decisionAbout({ name: task.tool }).allowed) throw noTask();
  return task;
}

/** A task of another principal and a task that does not exist get the same answer. */
async function ownTask(store: TaskStore, exchange: Exchange): Promise<StoredTask> {
  if (!supportsTasks(exchange)) throw tasksRequired();
  const { taskId } = exchange.params;
  const task = typeof taskId === "string" ? await store.get(taskId) : undefined;
  if (task === undefined || task.owner !== exchange.principal) {
    throw noTask();
  }
  return task;
}

function noTask(): McpError {
  return new McpError("invalidParams", "There is no such task. It may have expired.");
}
