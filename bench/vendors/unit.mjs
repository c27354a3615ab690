import { nestedSchema } from "./nested.mjs";

export function create() {
  const text = JSON.stringify(nestedSchema);
  return () => JSON.parse(text);
}
