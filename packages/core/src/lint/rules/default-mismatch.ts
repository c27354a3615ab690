import { faultsOf } from "../faults.ts";
import { nameOf } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const defaultMismatch: ToolRule = {
  id: "default-mismatch",
  severity: "error",
  finds: "Defaults that their own schema does not allow: they are not applied, so the handler is given no value.",
  check({ input, inputs, remotes }, report) {
    if (input === undefined) return;
    const claims = inputs
      .filter((located) => located.schema["default"] !== undefined)
      .map((located) => ({ located, pointer: located.pointer, value: located.schema["default"] }));
    for (const [{ located }, fault] of faultsOf(input, claims, remotes)) {
      const message = `${nameOf(located)} has a default that it does not allow: ${fault.message}`;
      report(`${located.path}/default`, message, "Correct the default, or take it away.");
    }
  },
};
