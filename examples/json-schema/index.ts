// JSON Schema without tools: validation, messages, repair, a normal form, and patterns that cannot stall the process.
import assert from "node:assert/strict";
// #region import
import {
  compilePattern,
  exampleOf,
  fromStandardSchema,
  type InferSchema,
  normalizeSchema,
  repairValue,
  SchemaError,
  validateValue,
  validatorFor,
} from "@toolrack/json-schema";
import { z } from "zod"; // only for the last example of this page
// #endregion

// #region validate
const order = {
  type: "object",
  properties: {
    sku: { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" },
    amount: { type: "integer", minimum: 1, maximum: 100 },
    shipping: { type: "string", enum: ["standard", "express"], default: "standard" },
  },
  required: ["sku", "amount"],
  additionalProperties: false,
} as const;

type Order = InferSchema<typeof order>; // { sku: string; amount: number; shipping: "standard" | "express" }

const right = validateValue(order, { sku: "ABC-1234", amount: 2 });
if (right.ok) console.log((right.value as Order).shipping);

const wrong = validateValue(order, { sku: "ABC-1234", amount: 500, shiping: "expres" });
if (!wrong.ok) for (const { path, message } of wrong.issues) console.log(`${path}: ${message}`);
// #endregion
assert(right.ok && !wrong.ok && wrong.issues.length === 2);

// #region validator
const orders = validatorFor(order); // prepared once, for many values
const values = [{ sku: "ABC-1234", amount: 2 }, { sku: "abc", amount: 2 }, "ABC-1234"];
for (const value of values) {
  if (orders.check(value)) console.log("valid:", orders.fill(value));
  else
    console.log(
      "invalid:",
      orders
        .explain(value)
        .map(({ message }) => message)
        .join(" "),
    );
}
// #endregion

// #region invalid
try {
  validateValue({ type: "strnig" }, "a text");
} catch (error) {
  if (SchemaError.is(error)) console.log(error.code, error.message);
}
// #endregion

// #region repair
const repaired = repairValue(order, { sku: "ABC-1234", amount: "2" });
console.log(repaired.value, repaired.repairs);
// #endregion
assert.deepEqual(repaired.value, { sku: "ABC-1234", amount: 2 });

// #region pattern
const slowElsewhere = compilePattern("^(a+)+$");
console.log(slowElsewhere.test(`${"a".repeat(100_000)}!`)); // linear time: no text can stall the process
// #endregion

// #region normal
const { schema, changes } = normalizeSchema({
  $defs: { name: { type: "string", minLength: 1 } },
  allOf: [{ properties: { first: { $ref: "#/$defs/name" } } }, { required: ["first"] }],
});
console.log(JSON.stringify(schema));
console.log(changes.map(({ pass, note }) => `${pass}: ${note}`));
// #endregion

// #region standard
const fromZod = fromStandardSchema(z.object({ city: z.string(), days: z.number().int().min(1).default(3) }));
console.log(JSON.stringify(fromZod.schema));
console.log(await fromZod.parse({ city: "Oslo" }));
console.log(exampleOf(fromZod.schema));
// #endregion
assert.deepEqual(exampleOf(fromZod.schema), { city: "text" });
