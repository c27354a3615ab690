import { jsonEquals } from "../util/json.ts";
import { type NormalPass, pointerTo, rewriteSchema, without } from "./walk.ts";

/** { const: "cat" } → { enum: ["cat"] }: one way to say which values are meant. */
export const replaceConst: NormalPass = {
  pass: "const",
  needs: ["const"],
  run: (schema, note) =>
    rewriteSchema(schema, (node, place) => {
      if (!Object.hasOwn(node, "const")) return node;
      const value = node["const"];
      note(pointerTo(place), "const became a list of one value");
      const listed = node["enum"];
      const possible = !Array.isArray(listed) || listed.some((other) => jsonEquals(other, value));
      return possible ? { ...without(node, "const"), enum: [value] } : { ...without(node, "const", "enum"), not: {} };
    }),
};
