import { freshSchema, invalid, schema, valid } from "./setting.mjs";
import { loadModule } from "./toolrack.mjs";

const { validateValue, validatorFor } = await loadModule("schema/validate");

export function create({ job }) {
  if (job === "first") return () => validateValue(freshSchema(), valid);
  const validator = validatorFor(schema);
  return job === "valid" ? () => validator.check(valid) : () => validator.check(invalid) || validator.explain(invalid);
}
