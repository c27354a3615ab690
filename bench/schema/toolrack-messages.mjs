import { validatorFor } from "@toolrack/json-schema";
import { invalid, schema } from "./setting.mjs";

export function create() {
  const validator = validatorFor(schema);
  return () => validator.check(invalid) || validator.explain(invalid).map((issue) => issue.message);
}
