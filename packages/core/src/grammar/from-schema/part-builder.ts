import type { JsonSchema } from "@toolrack/json-schema";
import type { ExtraKeys } from "./keys.ts";
import type { Location } from "../loss.ts";
import type { Node, Tree } from "../tree/tree.ts";

/** What the builders of objects and lists need to build what stands inside. */
export interface PartBuilder {
  readonly tree: Tree;
  readonly extraKeys: ExtraKeys;
  /** The JSON texts of the values that a normal schema accepts. */
  value(schema: JsonSchema, location: Location): Node;
}
