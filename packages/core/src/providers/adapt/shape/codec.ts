import { type JsonSchema, type Validator, validatorFor } from "@toolrack/json-schema";
import { rewriteSchema, without } from "@toolrack/json-schema/internal";

/** The two ways between a value under the original schema and its form under the vendor's. Neither throws; what does not fit is left as it is. */
export interface Codec {
  encode(value: unknown): unknown;
  decode(value: unknown): unknown;
}

/** Decides whether a value fits a schema, formats apart; compiled when first asked. */
export function createMatcher(schema: JsonSchema, definitions: () => JsonSchema): (value: unknown) => boolean {
  let validator: Validator | undefined;
  return (value) => {
    validator ??= validatorFor(rewriteSchema({ ...schema, $defs: definitions() }, (node) => without(node, "format")));
    return validator.check(value);
  };
}

/** An assignment that makes a property of "__proto__" as of any other key. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
