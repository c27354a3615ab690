import { faultsOf } from "../faults.ts";
import { nameOf } from "../places.ts";
import type { ToolRule } from "../rule.ts";

export const defaultMismatch: ToolRule = {
  id: "default-mismatch",
  severity: "error",
  finds: "Defaults that their own schema does not allow: the handler would be given them unchecked.",
  check({ input, inputs, remotes }, report) {
    if (input === undefined) return;
    const claims = inputs
      .filter((place) => place.schema["default"] !== undefined)
      .map((place) => ({ place, pointer: place.pointer, value: place.schema["default"] }));
    for (const [{ place }, fault] of faultsOf(input, claims, remotes)) {
      const message = `${nameOf(place)} has a default that it does not allow: ${fault.message}`;
      report(`${place.path}/default`, message, "Correct the default, or take it away.");
    }
  },
};
