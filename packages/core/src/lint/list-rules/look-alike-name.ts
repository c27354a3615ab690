import { normalizeToolName } from "../../tool/name.ts";
import { looseShapeOfName, shapeOfName } from "../../util/look-alikes.ts";
import type { ListRule } from "../rule.ts";

export const lookAlikeName: ListRule = {
  id: "look-alike-name",
  severity: "warning",
  finds: "Names that differ only in case, in - and _, or in letters that look the same.",
  checkList(subjects, report) {
    const firsts = new Map<string, string>();
    for (const [index, { name }] of subjects.entries()) {
      if (name === undefined) continue;
      const shapes = [shapeOfName(name), looseShapeOfName(name)];
      const first = shapes.map((shape) => firsts.get(shape)).find((other) => other !== undefined);
      for (const shape of shapes) if (!firsts.has(shape)) firsts.set(shape, name);
      if (first === undefined || normalizeToolName(first) === normalizeToolName(name)) continue;
      const message = `"${name}" looks like "${first}": a model or a person may take one for the other.`;
      report(index, message, "Give them names that differ in a word.");
    }
  },
};
