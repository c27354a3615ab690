import { validateValue, validatorFor } from "@toolrack/json-schema";
import { freshSchema, invalid, schema, valid } from "./setting.mjs";

export function create({ job }) {
  if (job === "first") return () => validateValue(freshSchema(), valid);
  const validator = validatorFor(schema);
  return job === "valid" ? () => validator.check(valid) : () => validator.check(invalid) || validator.explain(invalid);
}
