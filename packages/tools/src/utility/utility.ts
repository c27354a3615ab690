import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type CallContext, type ToolDefinition, ToolError } from "@toolrack/core";
import type { SafeFetchOptions } from "@toolrack/fetch";
import { breadcrumbsIn, type OpenBreadcrumbs, type StoredRecord } from "../operations/breadcrumbs.ts";
import { createHttp } from "../operations/http.ts";
import { createBreadcrumbApprove } from "./breadcrumb-approve.ts";
import { createBreadcrumbCreate } from "./breadcrumb-create.ts";
import { createBreadcrumbSearch } from "./breadcrumb-search.ts";
import { createBreadcrumbUpdate } from "./breadcrumb-update.ts";
import { createCalculator } from "./calculator.ts";
import { createEcho } from "./echo.ts";
import { createJsonTransform } from "./json-transform.ts";
import { createLogit } from "./logit.ts";
import { createServiceLogitModel, type LogitModel, type ModelServiceOptions } from "./logit-model.ts";
import { createOpenrouter, type OpenrouterOptions } from "./openrouter.ts";
import type { ApprovedContent, UtilityOperations } from "./operations.ts";
import { createRandom } from "./random.ts";
import { createTimer } from "./timer.ts";
import { createToolCreate, type DefinitionHost } from "./tool-create.ts";

export interface UtilityOptions {
  /** The records of a call, seen with its caller's eyes. @default `context.services.breadcrumbs` */
  readonly breadcrumbs?: OpenBreadcrumbs;
  /** Approves a tool definition. @default none: definitions cannot be approved here */
  readonly approve?: (context: CallContext, id: string, decision: ApprovedContent) => Promise<StoredRecord>;
  /** The hash that such an approval names (`definitionHash` of `@toolrack/store`). @default none is shown */
  readonly definitionHash?: (record: StoredRecord) => string;
  /** Records as models see them (`forModels` of `@toolrack/store`). @default as they are */
  readonly forModels?: UtilityOperations["forModels"];
  /** Says what can run, for `tool_create`. @default there is no such tool */
  readonly definitions?: DefinitionHost;
  readonly openrouter?: OpenrouterOptions;
  /** The model of `logit`: a service with the chat API of OpenAI, or your own. @default none: it makes grammars alone */
  readonly logit?: LogitModel | ModelServiceOptions;
  /** Limits and hosts of outgoing requests. */
  readonly fetch?: SafeFetchOptions;
  /** Every way out, one by one replaceable. */
  readonly operations?: Partial<UtilityOperations>;
}

/** Small tools for every agent, a gateway to models, and the tools that work on records. */
export function createUtilityTools(options: UtilityOptions = {}): readonly ToolDefinition[] {
  const operations: UtilityOperations = {
    random: secureRandom,
    wait: async (ms, signal) => void (await sleep(ms, undefined, { signal })),
    http: createHttp({ timeoutMs: 120_000, ...options.fetch }),
    breadcrumbs: options.breadcrumbs ?? breadcrumbsIn,
    approve: options.approve ?? nobodyApproves,
    definitionHash: ({ context, ...record }) =>
      context !== undefined && record.schema_name === "tool.definition.v1" ? options.definitionHash?.({ ...record, context }) : undefined,
    forModels: options.forModels ?? (async (records) => records),
    ...options.operations,
  };
  return [
    createRandom(operations),
    createEcho(),
    createTimer(operations),
    createCalculator(),
    createJsonTransform(),
    createOpenrouter(operations, options.openrouter),
    createBreadcrumbCreate(operations),
    createBreadcrumbSearch(operations),
    createBreadcrumbUpdate(operations),
    createBreadcrumbApprove(operations),
    ...(options.definitions === undefined ? [] : [createToolCreate(operations, options.definitions)]),
    createLogit(logitModel(operations, options.logit)),
  ];
}

function logitModel({ http }: UtilityOperations, given: UtilityOptions["logit"]): LogitModel | undefined {
  return given === undefined || "complete" in given ? given : createServiceLogitModel(http, given);
}

/** With all 53 bits that a number holds. */
function secureRandom(): number {
  return Number(randomBytes(8).readBigUInt64BE() >> 11n) / 2 ** 53;
}

const nobodyApproves = (): Promise<never> =>
  Promise.reject(
    new ToolError("NEEDS_CONFIGURATION", "Nothing here can approve definitions. Hand an approve function to createUtilityTools."),
  );
