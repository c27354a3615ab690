import { type CallContext, type HandlerResult, ToolError } from "@toolrack/core";
import { outgoingTrace } from "@toolrack/core/internal";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own } from "../document/json.ts";
import type { OperationPlan, SecurityPlan } from "../operation.ts";
import { toResult } from "./answer.ts";
import { callPlan } from "./call-plan.ts";
import type { OpenApiClient } from "./client.ts";

/** The names of parameters that are not the operation's own, if the tool has them. */
export interface CallParameters {
  readonly pages?: string;
  readonly fields?: string;
}

/** The handler of a tool: signs in with secrets of the registry, sends, and reads the answer. */
export function createHandler(
  plan: OperationPlan,
  client: OpenApiClient,
  parameters: CallParameters,
  hasOutputSchema: boolean,
): (input: JsonObject, context: CallContext) => Promise<HandlerResult> {
  return async (input, context) => {
    const { rest, pages, fields } = split(input, parameters);
    const secrets = await readSecrets(plan, context);
    const trace = { ...outgoingTrace(context.trace) } as Readonly<Record<string, string>>;
    const answer = await callPlan(plan, rest, client, { secrets, signal: context.signal as AbortSignal, headers: trace, pages, fields });
    return toResult(answer, hasOutputSchema && fields === undefined);
  };
}

function split(
  input: JsonObject,
  { pages, fields }: CallParameters,
): { rest: JsonObject; pages: number | undefined; fields: readonly string[] | undefined } {
  if (!isObject(input) || (pages === undefined && fields === undefined)) return { rest: input, pages: undefined, fields: undefined };
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => name !== pages && name !== fields));
  const take = (name: string | undefined): unknown => (name === undefined ? undefined : own(input, name));
  return { rest, pages: take(pages) as number | undefined, fields: take(fields) as readonly string[] | undefined };
}

/** The secrets of the first way to sign in that are all there. */
async function readSecrets({ security, operation }: OperationPlan, context: CallContext): Promise<Readonly<Record<string, string>>> {
  for (const credentials of security) {
    if (credentials.length === 0) continue;
    const found = await readAll(credentials, context);
    if (found !== undefined) return found;
  }
  if (security.length === 0 || security.some((credentials) => credentials.length === 0)) return {};
  throw new ToolError("SECRET_MISSING", `${operation} needs ${waysOf(security)}. Set it, then call again.`);
}

async function readAll(credentials: SecurityPlan[number], context: CallContext): Promise<Readonly<Record<string, string>> | undefined> {
  const values: Record<string, string> = Object.create(null);
  try {
    for (const { secret } of credentials) values[secret] = await context.secret(secret);
    return values;
  } catch (error) {
    if (ToolError.is(error) && error.code === "SECRET_MISSING") return undefined;
    throw error;
  }
}

/** 'the secret "key", or the secrets "id" and "token"' */
function waysOf(security: SecurityPlan): string {
  return security
    .map((credentials) => `the secret${credentials.length > 1 ? "s" : ""} ${credentials.map(({ secret }) => `"${secret}"`).join(" and ")}`)
    .join(", or ");
}
