import { type NormalPass, pointerTo, rewriteSchema } from "./walk.ts";

/** ["string"] → "string"; ["integer", "number", "number"] → "number". */
export const simplifyTypes: NormalPass = {
  pass: "types",
  needs: ["type[]"],
  run: (schema, note) =>
    rewriteSchema(schema, (node, place) => {
      const { type } = node;
      if (!Array.isArray(type)) return node;
      const wide = type.includes("number");
      const types = [...new Set(type as string[])].filter((name) => !(wide && name === "integer"));
      if (types.length > 1 && types.length === type.length) return node;
      note(pointerTo(place), "the list of types was shortened");
      return { ...node, type: types.length === 1 ? types[0] : types };
    }),
};
