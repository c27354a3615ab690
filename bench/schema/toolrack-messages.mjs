import { invalid, schema } from "./setting.mjs";
import { loadModule } from "./toolrack.mjs";

const { validatorFor } = await loadModule("schema/validate");

export function create() {
  const validator = validatorFor(schema);
  return () => validator.check(invalid) || validator.explain(invalid).map((issue) => issue.message);
}
