/**
 * Values for an operation, made from the document alone and given by their place on the wire, so that two builders of requests can be compared.
 * References are followed here, without anything of @toolrack/openapi.
 */
export function sampleOperation(root, item, operation) {
  const follow = (value) => {
    for (let hops = 0; hops < 20 && typeof value?.$ref === "string"; hops++) value = at(root, value.$ref);
    return value;
  };
  const parameters = new Map();
  for (const given of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = follow(given);
    if (parameter?.name !== undefined) parameters.set(`${parameter.in}.${parameter.name}`, parameter);
  }
  const given = {};
  const resolved = [];
  for (const parameter of parameters.values()) {
    const content = parameter.content && Object.values(parameter.content)[0];
    const schema = follow(content?.schema ?? parameter.schema) ?? {};
    const value = sample(schema, follow, 0);
    resolved.push({ ...parameter, ...(parameter.schema && { schema: shallow(schema, follow) }) });
    if (value !== undefined) (given[parameter.in] ??= {})[parameter.name] = value;
  }
  const body = follow(operation.requestBody);
  return { given, parameters: resolved, body, follow };
}

/** A value that a schema describes; undefined where that is not clear. */
export function sample(given, follow, depth) {
  const schema = follow(given);
  if (schema === undefined || schema === null || depth > 4) return undefined;
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== null);
  if (schema.allOf) return joined(schema, follow, depth);
  const branch = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (branch) return sample(branch, follow, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  if (type === "array") {
    const item = sample(schema.items ?? {}, follow, depth + 1);
    return item === undefined ? undefined : [item, item];
  }
  if (type === "object" || schema.properties) {
    const members = Object.entries(schema.properties ?? {}).slice(0, 6);
    const made = members.filter(([, one]) => !isReadOnly(one, follow, 0)).map(([name, one]) => [name, sample(one, follow, depth + 1)]);
    return Object.fromEntries(made.filter(([, value]) => value !== undefined));
  }
  if (type === "integer" || type === "number") return 7;
  if (type === "boolean") return false;
  return schema.format === "binary" ? "YWJj" : "a b,ü&";
}

/** A value of all parts: an object with the members of each, or what the first part with a type describes. */
function joined({ allOf, ...own }, follow, depth) {
  const parts = [...allOf, ...(own.properties ? [own] : [])].map((part) => follow(part)).filter(isPlain);
  const values = parts
    .filter((part) => part.type || part.properties || part.allOf || part.enum)
    .map((part) => sample(part, follow, depth + 1));
  const objects = values.filter(isPlain);
  return objects.length > 0 || values.length === 0 ? Object.assign({}, ...objects) : values[0];
}

function isReadOnly(given, follow, depth) {
  const schema = follow(given);
  if (depth > 4 || !isPlain(schema)) return false;
  return schema.readOnly === true || (schema.allOf ?? []).some((part) => isReadOnly(part, follow, depth + 1));
}

function isPlain(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Enough of a schema for a builder of requests: its type, and that of its items. */
function shallow(schema, follow) {
  const { type, items, properties } = schema;
  return {
    ...(type && { type }),
    ...(items && { items: { type: follow(items)?.type ?? "string" } }),
    ...(properties && { properties: {} }),
  };
}

function at(root, reference) {
  if (!reference.startsWith("#")) return undefined;
  let value = root;
  for (const part of decodeURIComponent(reference.slice(1)).split("/").slice(1))
    value = value?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  return value;
}
