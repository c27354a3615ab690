import { asSchema } from "ai";
import { nestedZod } from "./zod.mjs";

export function create() {
  const schema = nestedZod();
  return () => asSchema(schema).jsonSchema;
}
