import { nameOf } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const reservedParameter: ToolRule = {
  id: "reserved-parameter",
  severity: "warning",
  finds: "Property names with a meaning of their own in JavaScript, JSON Schema or a common converter.",
  check({ properties }, report) {
    for (const located of properties) {
      const reason = reasons.get(located.property!);
      if (reason === undefined) continue;
      const severity = located.property === "__proto__" || located.property === "" ? "error" : "warning";
      report(located.path, `${nameOf(located)} has a name with a meaning of its own: ${reason}.`, "Give it another name.", severity);
    }
  },
};

const inherited = "every JavaScript object inherits this name, so code that looks for it may find a value that was not sent";
const converted = "some converters of schemas take it for the keyword and drop or misread it";

const reasons: ReadonlyMap<string, string> = new Map([
  ["__proto__", "setting it changes an object's prototype instead of making a property"],
  ["", "an empty name breaks the grammars of local models"],
  ...["constructor", "prototype", "toString", "valueOf", "hasOwnProperty"].map((name) => [name, inherited] as const),
  ...["$ref", "$schema", "$defs", "additionalProperties", "strict"].map((name) => [name, converted] as const),
]);
