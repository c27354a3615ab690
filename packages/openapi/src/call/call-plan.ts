import type { OperationPlan } from "../operation/operation.ts";
import { buildFromPlan } from "../request/build.ts";
import { type OpenApiAnswer, readAnswer } from "./answer.ts";
import type { OpenApiClient } from "./client.ts";
import { send } from "./send.ts";

export interface PlanCall {
  readonly baseUrl?: string | undefined;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly pages?: number | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** Calls an operation: builds, sends, follows pages where that is asked for, and keeps what is asked for. */
export async function callPlan(plan: OperationPlan, input: unknown, client: OpenApiClient, call: PlanCall): Promise<OpenApiAnswer> {
  const baseUrl = call.baseUrl ?? client.baseUrl;
  const request = buildFromPlan(plan, input, {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(call.secrets !== undefined && { secrets: call.secrets }),
  });
  const sent = { ...request, headers: { ...call.headers, ...request.headers } };
  return readAnswer(await send(plan, sent, client, call.signal));
}
