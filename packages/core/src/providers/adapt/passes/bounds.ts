import { without } from "@toolrack/json-schema/internal";
import { hintFor, withHints } from "../describe.ts";
import { nodePass, type NodePass } from "../pass.ts";

/** { type: "integer", exclusiveMinimum: 0 } → { minimum: 1 }; for other numbers the bound itself is let in and told in words. */
export const inclusiveBounds: NodePass = nodePass(["exclusiveMinimum", "exclusiveMaximum"], (node, place, context) => {
  let next = node;
  for (const [exclusive, inclusive, step] of [
    ["exclusiveMinimum", "minimum", 1],
    ["exclusiveMaximum", "maximum", -1],
  ] as const) {
    const bound = next[exclusive];
    if (typeof bound !== "number") continue;
    const isWhole = next["type"] === "integer";
    const moved = !isWhole ? bound : step > 0 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
    const known = next[inclusive];
    const tighter = typeof known !== "number" ? moved : step > 0 ? Math.max(known, moved) : Math.min(known, moved);
    const hint = hintFor(exclusive, next);
    next = { ...without(next, exclusive), [inclusive]: tighter };
    if (isWhole || hint === undefined) continue;
    context.lose(place, exclusive, `read as ${inclusive}, and noted in the description`);
    next = withHints(next, [hint]);
  }
  return next;
});
