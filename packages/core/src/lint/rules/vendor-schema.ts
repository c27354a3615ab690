import { checkVendorSchema } from "../../providers/rules/rules.ts";
import { providerFor } from "../../providers/providers.ts";
import type { ToolRule } from "../rule.ts";

export const vendorSchema: ToolRule = {
  id: "vendor-schema",
  severity: "info",
  finds: "Parts of the input schema that one of the vendors named in the options does not take as they are.",
  check({ input, inputs, refusal, vendors: targets }, report) {
    // What cannot be registered is never exported.
    if (input === undefined || refusal !== undefined) return;
    const vendors = new Map<string, { readonly path: string; readonly message: string; readonly names: string[] }>();
    for (const target of targets) {
      const name = providerFor(target).name;
      for (const { path, keyword, message } of checkVendorSchema(input, target)) {
        const key = `${path}\n${keyword}\n${message}`;
        const known = vendors.get(key);
        if (known === undefined) vendors.set(key, { path, message, names: [name] });
        else if (!known.names.includes(name)) known.names.push(name);
      }
    }
    for (const { path, message, names } of vendors.values()) {
      report(
        `${inputs[0]?.path ?? ""}${path}`,
        `${names.join(", ")}: ${message}.`,
        "Leave it if the adapted form is good enough (exportTools lists the losses); else write it in a form that every vendor takes.",
      );
    }
  },
};
