import { Ajv2020 } from "ajv/dist/2020.js";
import { freshSchema, invalid, schema, valid } from "./setting.mjs";

export function create({ job, ajvOptions }) {
  const ajv = new Ajv2020(ajvOptions);
  if (job === "first") {
    return () => {
      const fresh = freshSchema();
      const verdict = ajv.compile(fresh)(valid);
      ajv.removeSchema(fresh);
      return verdict;
    };
  }
  const check = ajv.compile(schema);
  return job === "valid" ? () => check(valid) : () => check(invalid) || check.errors;
}
