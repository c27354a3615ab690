import type { ToolDefinition } from "@toolrack/core";
import type { SafeFetch } from "@toolrack/fetch";
import type { OpenApiAnswer } from "../call/answer.ts";
import { callPlan } from "../call/call-plan.ts";
import { rememberedOf } from "./described.ts";

export interface CallOpenApiOptions {
  /** Replaces the server wholly. */
  readonly baseUrl?: string;
  /** Name of a secret → its value. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How many pages are read and joined. @default 1 */
  readonly pages?: number;
  /** What is kept of a JSON answer: names of fields, or JSONPaths. @default all */
  readonly fields?: readonly string[];
  /** Sends the request. @default that of the reader */
  readonly fetch?: SafeFetch;
}

/** Calls the operation of a tool without a registry: nothing is validated, permitted or recorded. Throws a ToolError for every failure. */
export async function callOpenApi(tool: ToolDefinition, input: unknown, options: CallOpenApiOptions = {}): Promise<OpenApiAnswer> {
  const { plan, client } = rememberedOf(tool);
  const { fetch, ...call } = options;
  return callPlan(plan, input, fetch === undefined ? client : { ...client, fetch }, call);
}
