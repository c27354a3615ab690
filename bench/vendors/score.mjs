import { validateValue } from "@toolrack/json-schema";

/** How a target does on rows of `{ id, schema, valid: [{ kind, text }], invalid: [{ text }] }`. Undeclared keys ("open-extra") are set apart. */
export function scoreTarget(core, rows, target) {
  const score = { accepted: 0, kept: 0, usable: 0, leaks: 0, faults: [] };
  for (const row of rows) {
    try {
      scoreRow(core, row, target, score);
    } catch (error) {
      score.faults.push(`${row.id}: ${error.message}`);
    }
  }
  return score;
}

function scoreRow({ adaptSchema, checkVendorSchema }, row, target, score) {
  const isStrict = target.endsWith("-strict");
  const adapted = adaptSchema(row.schema, target);
  const [violation] = checkVendorSchema(adapted.schema, target);
  const isAccepted = violation === undefined && adapted.strict === isStrict;
  if (!isAccepted) score.faults.push(`${row.id} is refused at "${violation?.path}": ${violation?.message ?? "not strict"}`);

  const judged = withNullTypes(adapted.schema);
  const lost = row.valid
    .filter(({ kind }) => kind !== "open-extra")
    .find(({ text }) => !validateValue(judged, adapted.encode(JSON.parse(text))).ok);
  if (lost !== undefined) score.faults.push(`${row.id} loses ${lost.text}`);

  for (const { text } of row.invalid) {
    const value = JSON.parse(text);
    const decoded = adapted.decode(value);
    if (!validateValue(row.schema, decoded).ok || (isStrict && onlyLostNulls(value, decoded))) continue;
    score.leaks++;
    score.faults.push(`${row.id} lets through ${text}`);
  }
  if (isAccepted) score.accepted++;
  if (lost === undefined) score.kept++;
  if (isAccepted && lost === undefined) score.usable++;
}

/** OpenAPI's `nullable` in words of JSON Schema; a list of values still has to name null. */
function withNullTypes(schema) {
  if (Array.isArray(schema)) return schema.map(withNullTypes);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNullTypes(value)]));
  return inner.nullable === true && typeof inner.type === "string" ? { ...inner, type: [inner.type, "null"] } : inner;
}

/** Under strict targets a null in place of an optional value means that it is absent. */
function onlyLostNulls(given, decoded) {
  const text = (value) =>
    JSON.stringify(value, (_key, inner) =>
      isPlain(inner)
        ? Object.fromEntries(
            Object.entries(inner)
              .filter(([, part]) => part !== null)
              .sort(),
          )
        : inner,
    );
  return JSON.stringify(given) !== JSON.stringify(decoded) && text(given) === text(decoded);
}

function isPlain(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
