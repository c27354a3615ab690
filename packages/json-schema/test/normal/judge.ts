import { Ajv2020 } from "ajv/dist/2020.js";

const judge = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, logger: false });

/** What a validator that is not ours says about a value. */
export function accepts(schema: object, value: unknown): boolean {
  try {
    return judge.validate(schema, value);
  } finally {
    judge.removeSchema();
  }
}
