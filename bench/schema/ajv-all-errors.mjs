import { Ajv2020 } from "ajv/dist/2020.js";
import { invalid, schema } from "./setting.mjs";

export function create() {
  const check = new Ajv2020({ allErrors: true }).compile(schema);
  return () => check(invalid) || check.errors;
}
