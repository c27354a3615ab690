import type { BodyMember, BodyPlan } from "../operation.ts";
import { memberNames } from "../schema/resolve.ts";
import type { ReadBody } from "./body.ts";
import type { ReadContext, Treatment } from "./context.ts";
import { bodySchema, type InputSchema, memberSchema } from "./input-schema.ts";

/** Where the body of a request comes from; adds its properties to the input. */
export function planBody(
  body: ReadBody,
  treat: (place: string, name: string) => Treatment,
  propertyOf: (place: string, name: string) => string | undefined,
  schema: InputSchema,
  context: ReadContext,
): BodyPlan {
  const { kind, contentType, required, fields } = body;
  const isSearched = context.isTreated && kind !== "text" && kind !== "bytes";
  const names = [...(body.spread?.keys() ?? (isSearched ? memberNames(body.schema, context.references) : []))];
  const hidden = names.filter((name) => treat("body", name) === "hidden");
  const plan = { kind, contentType, required, fields, hidden };
  if (body.spread === undefined) {
    const property = propertyOf("body", "body")!;
    const pinned = names.flatMap((name): readonly BodyMember[] => {
      const treatment = treat("body", name);
      return typeof treatment === "object" ? [{ name, property: undefined, pinned: treatment.pinned }] : [];
    });
    const gone = new Set([...hidden, ...pinned.map(({ name }) => name)]);
    schema.addConverted(property, bodySchema(body, context, gone), { required, description: body.description, deprecated: false });
    return { ...plan, property, ...(pinned.length > 0 && { pinned }) };
  }
  const spread = [...body.spread].flatMap(([name, located]): readonly BodyMember[] => {
    const treatment = treat("body", name);
    if (treatment === "hidden") return [];
    if (treatment !== "shown") return [{ name, property: undefined, pinned: treatment.pinned }];
    const property = propertyOf("body", name)!;
    const facts = { required: body.requiredMembers.has(name), description: undefined, deprecated: false };
    schema.addConverted(property, memberSchema(located, fields.get(name), context), facts);
    return [{ name, property }];
  });
  return { ...plan, spread };
}
