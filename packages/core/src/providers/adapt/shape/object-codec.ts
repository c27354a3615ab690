import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { type Codec, setOwn } from "./codec.ts";

/** One property: `key` is its name in the original schema, `name` the vendor's. */
export interface Member {
  readonly key: string;
  readonly name: string;
  readonly codec: Codec | undefined;
  /** The value for "not given", if every property has to be present. */
  readonly absent: unknown;
  readonly isAbsent: ((value: unknown) => boolean) | undefined;
}

/** Keys that are sent together under one name. */
export interface Gathered {
  readonly name: string;
  readonly codec: Codec;
  readonly takes: (key: string) => boolean;
}

/** Translates the members of an object. `undeclared` says what becomes of the values of all other keys. */
export function objectCodec(members: readonly Member[], gathered: readonly Gathered[], undeclared: Codec | "drop" | undefined): Codec {
  const byKey = new Map(members.map((member) => [member.key, member]));
  const byName = new Map(members.map((member) => [member.name, member]));
  return {
    encode(value) {
      if (!isObject(value)) return value;
      const encoded: JsonObject = {};
      const apart = gathered.map((): JsonObject => ({}));
      for (const { key, name, codec, absent } of members) {
        if (Object.hasOwn(value, key)) setOwn(encoded, name, codec === undefined ? value[key] : codec.encode(value[key]));
        else if (absent !== undefined) setOwn(encoded, name, absent);
      }
      for (const key of Object.keys(value)) {
        if (byKey.has(key)) continue;
        const index = gathered.findIndex((group) => group.takes(key));
        if (index >= 0) setOwn(apart[index]!, key, value[key]);
        else if (undeclared !== "drop") setOwn(encoded, key, undeclared === undefined ? value[key] : undeclared.encode(value[key]));
      }
      gathered.forEach((group, index) => setOwn(encoded, group.name, group.codec.encode(apart[index])));
      return encoded;
    },
    decode(value) {
      if (!isObject(value)) return value;
      const decoded: JsonObject = {};
      for (const key of Object.keys(value)) {
        const group = gathered.find(({ name }) => name === key);
        const opened =
          group !== undefined && (Array.isArray(value[key]) || typeof value[key] === "string") ? group.codec.decode(value[key]) : undefined;
        if (isObject(opened)) {
          for (const inner of Object.keys(opened)) setOwn(decoded, inner, opened[inner]);
          continue;
        }
        const member = byName.get(key) ?? byKey.get(key);
        if (member === undefined) setOwn(decoded, key, typeof undeclared === "object" ? undeclared.decode(value[key]) : value[key]);
        else if (member.isAbsent?.(value[key]) !== true)
          setOwn(decoded, member.key, member.codec === undefined ? value[key] : member.codec.decode(value[key]));
      }
      return decoded;
    },
  };
}
