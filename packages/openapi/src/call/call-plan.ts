import { ToolInputError } from "@toolrack/core";
import type { OperationPlan } from "../operation.ts";
import { buildFromPlan } from "../request/build.ts";
import type { OpenApiRequest } from "../request/request.ts";
import { type OpenApiAnswer, readAnswer } from "./answer.ts";
import type { OpenApiClient } from "./client.ts";
import { joinPages } from "./join-pages.ts";
import { nextPageOf } from "./next-page.ts";
import { project } from "./project.ts";
import { send } from "./send.ts";

export interface PlanCall {
  readonly baseUrl?: string | undefined;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly pages?: number | undefined;
  readonly fields?: readonly string[] | undefined;
}

const mostPages = 1_000;
const mostBytes = 10_485_760;

/** Calls an operation: builds, sends, follows pages where that is asked for, and keeps what is asked for. */
export async function callPlan(plan: OperationPlan, input: unknown, client: OpenApiClient, call: PlanCall): Promise<OpenApiAnswer> {
  const { pages = 1, fields, secrets } = call;
  if (!Number.isInteger(pages) || pages < 1 || pages > mostPages)
    throw new ToolInputError(`The number of pages must be from 1 to ${mostPages}.`);
  const baseUrl = call.baseUrl ?? client.baseUrl;
  const request = buildFromPlan(plan, input, { ...(baseUrl !== undefined && { baseUrl }), ...(secrets !== undefined && { secrets }) });
  const sent = { ...request, headers: { ...call.headers, ...request.headers } };
  const answer = await readPages(plan, sent, client, pages, call.signal);
  if (fields === undefined || answer.data === undefined) return answer;
  const data = project(answer.data, fields);
  return { ...answer, data, text: JSON.stringify(data) };
}

async function readPages(
  plan: OperationPlan,
  first: OpenApiRequest,
  client: OpenApiClient,
  most: number,
  signal: AbortSignal | undefined,
): Promise<OpenApiAnswer> {
  let request = first;
  const answer = readAnswer(await send(plan, request, client, signal));
  if (plan.method !== "GET" || most === 1) return answer;
  const seen = new Set([request.url]);
  const joined = joinPages(answer.data);
  let bytes = answer.text?.length ?? 0;
  let last = answer;
  let page = 1;
  while (page < most && bytes < (client.maxBytes ?? mostBytes)) {
    const url = nextPageOf(plan, request.url, last);
    if (url === undefined || seen.has(url)) break;
    seen.add(url);
    request = { ...request, url };
    const next = readAnswer(await send(plan, request, client, signal));
    if (!joined.add(next.data)) break;
    last = next;
    bytes += next.text?.length ?? 0;
    page++;
  }
  return page === 1 ? answer : { ...last, data: joined.data(), text: "", pages: page };
}
