import { SchemaError } from "../errors.ts";
import { isObject } from "../util/json.ts";
import { nearestNames } from "../util/nearest.ts";
import type { Dialect } from "./engine/resources.ts";

export interface ValidateOptions {
  /** Documents that a `$ref` may name, by URI. Nothing is ever fetched. */
  readonly remotes?: Readonly<Record<string, unknown>>;
  /** Whether `format` is checked. @default true */
  readonly formats?: boolean;
  /** For schemas that do not name one in `$schema`. @default "2020-12" */
  readonly dialect?: Dialect["draft"];
}

/** Throws SCHEMA_INVALID for an option that is unknown or of the wrong kind. */
export function checkOptions(options: ValidateOptions): void {
  if (!isObject(options)) throw fault(`The options of a validation must be an object with ${names.join(", ")}.`);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) {
      const [near] = nearestNames(name, names, 1);
      throw fault(
        `A validation has the unknown option "${name}". ${near === undefined ? `Known options: ${names.join(", ")}.` : `Did you mean "${near}"?`}`,
      );
    }
    const { is, test } = kinds[name as keyof ValidateOptions];
    if (value !== undefined && !test(value)) throw fault(`The option "${name}" of a validation must be ${is}.`);
  }
}

const kinds: Readonly<Record<keyof ValidateOptions, { readonly is: string; readonly test: (value: unknown) => boolean }>> = {
  remotes: { is: "an object of documents by their URI", test: isObject },
  formats: { is: "true or false", test: (value) => typeof value === "boolean" },
  dialect: { is: '"2020-12" or "draft-07"', test: (value) => value === "2020-12" || value === "draft-07" },
};

const names = Object.keys(kinds);

function fault(message: string): SchemaError {
  return new SchemaError("SCHEMA_INVALID", message);
}
