import { jsonEquals, type JsonSchema } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { carryText, textCodec } from "./carry.ts";
import type { Codec } from "./codec.ts";
import type { At, Shaped, Shaper } from "./shaper.ts";
import { typesOf } from "../types.ts";

interface Branch {
  readonly shaped: JsonSchema;
  readonly codec?: Codec;
  readonly fitsOriginal: (value: unknown) => boolean;
  readonly fitsShaped: (value: unknown) => boolean;
}

/** A union: a value is translated by the branch it fits. Branches whose translations could be mistaken for each other are told apart by wrapping. */
export function shapeUnion(node: JsonSchema, at: At, shaper: Shaper): Shaped {
  if (shaper.budget.unions-- <= 0) return carryText(node, at, shaper, "is one union too many");
  const written = node["anyOf"] as JsonSchema[];
  const given = shaper.rules.nullWord ? written.flatMap(apartFromNull) : written;
  const within = { key: "anyOf", within: at.place };
  const shaped = given.map((branch, index) => shaper.shape(branch, { ...at, place: { key: String(index), within }, isRoot: false }));
  if (shaped.every((branch) => branch.codec === undefined)) {
    const isSame = given.length === written.length && shaped.every((branch, index) => branch.schema === written[index]);
    return { schema: isSame ? node : { ...node, anyOf: shaped.map((branch) => branch.schema) } };
  }
  const texts = shaped.filter((branch) => branch.isText);
  const holdsText = shaped.some((branch) => !branch.isText && mayBeText(branch.schema));
  if (texts.length === shaped.length) return carryText(node, at, shaper);
  const wrapped = texts.length > 0 && holdsText;
  const branches: Branch[] = [];
  shaped.forEach((branch, index) => {
    const original = given[index]!;
    const own = branch.isText && wrapped ? wrapText(branch, shaper) : branch;
    // Branches that are sent as JSON text look alike: the first one represents all of them.
    if (branch.isText && texts[0] !== branch) return;
    const accepted = branch.isText ? { anyOf: given.filter((_, other) => shaped[other]!.isText) } : original;
    branches.push({
      shaped: own.schema,
      ...(own.codec && { codec: own.codec }),
      fitsOriginal: shaper.matcher(accepted, "original"),
      fitsShaped: shaper.matcher(own.schema, "shaped"),
    });
  });
  return { schema: { ...node, anyOf: branches.map((branch) => branch.shaped) }, codec: unionCodec(branches) };
}

function unionCodec(branches: readonly Branch[]): Codec {
  function decode(value: unknown): unknown {
    for (const strictly of [true, false]) {
      for (const branch of branches) {
        if (strictly && !branch.fitsShaped(value)) continue;
        const decoded = branch.codec === undefined ? value : branch.codec.decode(value);
        if (branch.fitsOriginal(decoded)) return decoded;
      }
    }
    return value;
  }
  return {
    decode,
    encode(value) {
      let first: { value: unknown } | undefined;
      for (const branch of branches) {
        if (!branch.fitsOriginal(value)) continue;
        const encoded = branch.codec === undefined ? value : branch.codec.encode(value);
        if (jsonEquals(decode(encoded), value)) return encoded;
        first ??= { value: encoded };
      }
      return (first ?? { value }).value;
    },
  };
}

function wrapText(branch: Shaped, shaper: Shaper): Shaped {
  const schema = {
    type: "object",
    properties: { json: branch.schema },
    required: ["json"],
    ...(shaper.rules.closed && { additionalProperties: false }),
  };
  return {
    schema,
    codec: {
      encode: (value) => ({ json: textCodec.encode(value) }),
      decode: (value) =>
        isObject(value) && Object.keys(value).length === 1 && typeof value["json"] === "string" ? textCodec.decode(value["json"]) : value,
    },
  };
}

/** { type: ["string", "null"], enum: ["a", null] } → the list of texts, and null as a branch of its own. */
function apartFromNull(branch: JsonSchema): readonly JsonSchema[] {
  const values = branch["enum"];
  if (!Array.isArray(values) || !values.includes(null) || values.length === 1) return [branch];
  const types = typesOf(branch)!.filter((type) => type !== "null");
  return [{ ...branch, type: types.length === 1 ? types[0] : types, enum: values.filter((value) => value !== null) }, { type: "null" }];
}

function mayBeText(schema: JsonSchema): boolean {
  return typesOf(schema)?.includes("string") ?? true;
}
