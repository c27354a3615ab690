import { isObject } from "@toolrack/json-schema/internal";
import { refuseDisguise } from "../document/characters.ts";
import { ownText } from "../document/json.ts";
import { OperationFault } from "../fault.ts";
import { nameProperties, type WantedProperty } from "../names/property-names.ts";
import type { ParameterPlan, ReadOperation } from "../operation.ts";
import { readAnswers } from "./answers.ts";
import { readBody, type ReadBody, readSwaggerBody } from "./body.ts";
import type { BundledSchema } from "../schema/definitions.ts";
import type { ReadContext, Treatment } from "./context.ts";
import { deeperValuesIn } from "./deeper-values.ts";
import { describeOperation } from "./describe.ts";
import { createInputSchema } from "./input-schema.ts";
import { queryNames, type ReadParameter, readParameters } from "./parameters.ts";
import { readPath, type TemplatePart } from "./path.ts";
import { planBody } from "./plan-body.ts";
import type { RawOperation } from "./raw-operations.ts";
import { readSecurity } from "./security.ts";
import { readServer, warnOfOtherOrigin } from "./servers.ts";
import { withoutCredentials } from "./without-credentials.ts";

const maxInputValues = 5_000;
const maxOutputValues = 1_000;

/** Reads one operation; throws an OperationFault if it cannot become a tool. */
export function readOperation(raw: RawOperation, context: ReadContext): ReadOperation {
  const { root, version, references, warn } = context;
  references.work.begin();
  refuseDisguise(raw.path, "path");
  refuseDisguise(raw.operationId ?? "", "operationId");
  let inQuery: ReturnType<typeof queryNames> | undefined;
  const template = readPath(raw.path, (name) => (inQuery ??= queryNames(raw, references)).has(name));
  const security = readSecurity(raw.value, root, references, context.secrets);
  security.warnings.forEach(warn);
  const read = readParameters(raw, template.names, version, references, warn);
  const parameters = inOrder(withoutCredentials(read.parameters, security.plan.flat(), warn));
  const body = readSentBody(raw, context, read);
  for (const { name } of parameters) refuseDisguise(name, "parameter");
  for (const name of body?.spread?.keys() ?? []) refuseDisguise(name, "property");
  const treat = (place: string, name: string): Treatment => context.treat(raw, place, name);

  const shownParameters = parameters.filter((one) => treat(one.in, one.name) === "shown");
  const shownMembers = [...(body?.spread?.keys() ?? [])].filter((name) => treat("body", name) === "shown");
  const wanted: WantedProperty[] = [
    ...shownParameters.map(({ in: place, name }) => ({ in: place, name })),
    ...(body === undefined ? [] : body.spread === undefined ? [{ in: "body", name: "body", otherwise: "request_body" }] : []),
    ...shownMembers.map((name) => ({ in: "body", name })),
  ];
  const properties = nameProperties(wanted);
  const named = new Map(wanted.map((one, index) => [`${one.in} ${one.name}`, properties[index]!]));
  const propertyOf = (place: string, name: string): string | undefined => named.get(`${place} ${name}`);

  const schema = createInputSchema(context.input, maxInputValues);
  const plans: ParameterPlan[] = [];
  const hidden: Pick<ParameterPlan, "in" | "name">[] = [];
  for (const one of parameters) {
    const treatment = treat(one.in, one.name);
    if (treatment === "hidden") {
      if (one.in === "path") throw new OperationFault(`"${one.name}" is hidden, but the path needs it.`, "Pin it to a value instead.");
      if (one.required) warn(`"${one.name}" is required and hidden: it is never sent.`);
      hidden.push({ in: one.in, name: one.name });
      continue;
    }
    const deeper = deeperValuesIn(one, references);
    if (deeper !== undefined) warn(deeper);
    const { style, explode, allowReserved, inner, required, contentType, name } = one;
    const property = propertyOf(one.in, name);
    if (treatment === "shown") schema.add(property!, one.schema, one);
    else schema.check(one.schema);
    plans.push({
      style,
      explode,
      allowReserved,
      ...(inner !== undefined && { inner }),
      required,
      name,
      in: one.in,
      property: treatment === "shown" ? property : undefined,
      ...(contentType !== undefined && { contentType }),
      ...(typeof treatment === "object" && { pinned: treatment.pinned }),
    });
  }
  const bodyPlan = body === undefined ? undefined : planBody(body, treat, propertyOf, schema, context);
  const answers = readAnswers(raw, root, version, references, warn);
  const server = readServer(root, version, context.url, [raw.value, raw.item]);
  if (server.warning !== undefined) (server.isShared ? context.warnAll : warn)(server.warning);
  const other = security.plan.flat().length > 0 && !context.hasBaseUrl ? warnOfOtherOrigin(server, root, version, context.url) : undefined;
  if (other !== undefined) context.warnAll(other);
  const index = new Map(plans.flatMap((one, at) => (one.in === "path" ? [[one.name, at] as const] : [])));
  const toPart = (part: TemplatePart): string | number => ("text" in part ? part.text : index.get(part.name)!);
  const { schema: inputSchema, cut, values } = schema.finish();
  const output = readOutput(answers.schema, context, warn);
  if (cut > 0) warn(`Its input schema is too large: ${cut} definitions in it accept any value.`);

  return {
    plan: {
      operation: raw.operation,
      method: raw.method,
      path: template.path.map(toPart),
      query: template.query.map(toPart),
      server: server.url,
      parameters: plans,
      hidden,
      ...(bodyPlan !== undefined && { body: bodyPlan }),
      security: security.plan,
      accept: answers.accept,
    },
    description: describeOperation(raw, references, wanted, properties, bodyPlan, security.requirements, server.url),
    summary: ownText(raw.value, "summary"),
    inputSchema,
    outputSchema: output?.schema,
    links: answers.links,
    values: values + (output?.values ?? 0),
  };
}

const order = ["path", "query", "querystring", "header", "cookie"];

function inOrder(parameters: readonly ReadParameter[]): readonly ReadParameter[] {
  return parameters.toSorted((a, b) => order.indexOf(a.in) - order.indexOf(b.in));
}

/** GET and HEAD are sent without a body: no client of HTTP may be expected to send one. */
function readSentBody(raw: RawOperation, context: ReadContext, read: ReturnType<typeof readParameters>): ReadBody | undefined {
  const body = context.version === "2.0" ? readSwaggerBody(raw, read.body, context) : readBody(raw, context);
  if (body === undefined || (raw.method !== "GET" && raw.method !== "HEAD")) return body;
  context.warn(`${raw.method} is sent without a body, although the document describes one.`);
  return undefined;
}

function readOutput(
  located: ReturnType<typeof readAnswers>["schema"],
  { output }: ReadContext,
  warn: (message: string) => void,
): BundledSchema | undefined {
  if (located === undefined || output === undefined) return undefined;
  try {
    const { schema, uses } = output.convert(located.schema, located.scope);
    if (!isObject(schema) || Object.keys(schema).length === 0) return undefined;
    return output.definitions.bundle(schema, uses, maxOutputValues);
  } catch (error) {
    if (!(error instanceof OperationFault)) throw error;
    warn(`Its output schema is left out: ${error.fact}`);
    return undefined;
  }
}
