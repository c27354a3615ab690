import { Compile } from "typebox/schema";
import { freshSchema, invalid, schema, valid } from "./setting.mjs";

export function create({ job }) {
  if (job === "first") return () => Compile(freshSchema()).Check(valid);
  const validator = Compile(schema);
  return job === "valid" ? () => validator.Check(valid) : () => validator.Errors(invalid);
}
