import { ToolInputError } from "@toolrack/core";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, setOwn } from "../document/json.ts";
import type { BodyPlan, FormField } from "../operation.ts";
import { createTakenNames, type TakenNames } from "./doubles.ts";
import { encode, toText } from "./encode.ts";
import type { MultipartPart, OpenApiRequest } from "./request.ts";
import { plainPairs, queryPairs } from "./styles.ts";

/** The body of a request; undefined if the input has none. */
export function buildBody(plan: BodyPlan, input: JsonObject, operation: string): OpenApiRequest["body"] {
  const value =
    plan.spread === undefined ? wholeOf(plan, own(input, plan.property!), operation) : gather(plan.spread, input, plan.required);
  if (value === undefined) return undefined;
  switch (plan.kind) {
    case "json":
      return JSON.stringify(value);
    case "text":
      return toText(value);
    case "bytes":
      return fromBase64(value, plan.property ?? "body");
    case "form":
      return buildForm(membersOf(value, plan), plan, operation);
    case "multipart":
      return { parts: buildParts(membersOf(value, plan), plan, operation) };
  }
}

/** A body that is one property: with its fixed members, and without those that are hidden. */
function wholeOf({ hidden, pinned = [] }: BodyPlan, value: unknown, operation: string): unknown {
  if (!isObject(value) || (hidden.length === 0 && pinned.length === 0)) return value;
  const refused = [...hidden, ...pinned.map(({ name }) => name)].find((name) => own(value, name) !== undefined);
  if (refused !== undefined) throw new ToolInputError(`The body of ${operation} has no member ${JSON.stringify(refused.slice(0, 80))}.`);
  const body: JsonObject = {};
  for (const name of Object.keys(value)) setOwn(body, name, value[name]);
  for (const member of pinned) setOwn(body, member.name, member.pinned);
  return body;
}

type Members = readonly (readonly [string, unknown])[];

/** The names in a form that belong to one of its fields. */
function takenIn(members: Members, { spread = [], fields, hidden }: BodyPlan, operation: string): TakenNames {
  return createTakenNames([...members.map(([name]) => name), ...spread.map(({ name }) => name), ...fields.keys(), ...hidden], operation);
}

function buildForm(members: Members, plan: BodyPlan, operation: string): string {
  const taken = takenIn(members, plan, operation);
  const pairs = members.map(([name, member]) => {
    const made = formPairs(name, member, plan.fields.get(name));
    if (plan.fields.get(name)?.style !== undefined) taken.take(made, { shown: name, name });
    return made;
  });
  return pairs.flat().join("&");
}

function buildParts(members: Members, plan: BodyPlan, operation: string): readonly MultipartPart[] {
  const taken = takenIn(members, plan, operation);
  return members.flatMap(([name, member]) => {
    const field = plan.fields.get(name);
    if (field?.style === undefined) return toParts(name, member, field);
    const pairs = plainPairs(name, member, field.style);
    taken.take(
      pairs.map(([one]) => encode(one)),
      { shown: name, name },
    );
    return pairs.map(([one, value]) => ({ name: one, value }));
  });
}

/** The object whose members stand in the input; undefined if the body is optional and none of them is there. */
function gather(members: NonNullable<BodyPlan["spread"]>, input: JsonObject, isRequired: boolean): JsonObject | undefined {
  const body: JsonObject = {};
  let isEmpty = true;
  for (const { property, name, pinned } of members) {
    const value = property === undefined ? pinned : own(input, property);
    if (value === undefined) continue;
    setOwn(body, name, value);
    isEmpty = false;
  }
  return isEmpty && !isRequired ? undefined : body;
}

function membersOf(value: unknown, { contentType }: BodyPlan): Members {
  if (!isObject(value)) throw new ToolInputError(`A body of ${contentType} must be an object of its fields.`);
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
}

/** An array repeats its name, and an object is JSON, unless the document names a style. */
function formPairs(name: string, value: unknown, field: FormField | undefined): readonly string[] {
  if (field?.style !== undefined) return queryPairs(name, value, field.style);
  if (field?.contentType !== undefined && /json/i.test(field.contentType)) return [`${encode(name)}=${encode(JSON.stringify(value))}`];
  const items = Array.isArray(value) ? value.filter((item) => item !== undefined && item !== null) : [value];
  return items.map((item) => `${encode(name)}=${encode(toText(item))}`);
}

function toParts(name: string, value: unknown, field: FormField | undefined): readonly MultipartPart[] {
  const contentType = field?.contentType;
  if (Array.isArray(value) && !(contentType !== undefined && /json/i.test(contentType)))
    return value.filter((item) => item !== undefined && item !== null).flatMap((item) => toParts(name, item, field));
  const typed = contentType === undefined ? {} : { contentType };
  if (field?.isFile === true)
    return [{ name, value: fromBase64(value, name), filename: name, contentType: contentType ?? "application/octet-stream" }];
  const isJson = (typeof value === "object" && value !== null) || (contentType !== undefined && /[/+]json\b/i.test(contentType));
  return [
    isJson
      ? { name, value: JSON.stringify(value), contentType: contentType ?? "application/json" }
      : { name, value: toText(value), ...typed },
  ];
}

function fromBase64(value: unknown, name: string): Uint8Array {
  const text = typeof value === "string" ? value.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/") : "?";
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, "").length % 4 === 1)
    throw new ToolInputError(`"${name}" must be bytes as base64 text.`);
  return new Uint8Array(Buffer.from(text, "base64"));
}
