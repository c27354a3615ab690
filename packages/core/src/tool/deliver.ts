import type { ToolSuccess } from "./result.ts";

/** Who gets the result of a call: the model that made it, the person it works for, both of them, or nobody. */
export type Deliver = (typeof deliveries)[number];

export const deliveries = ["model", "user", "both", "none"] as const;

/** What the model gets instead of the result. */
export function toReceipt({ meta }: Pick<ToolSuccess, "meta">, deliver: "user" | "none", wasShown: boolean = true): ToolSuccess {
  const content = deliver === "none" ? "Done." : wasShown ? "Shown to the user." : notShown;
  return { ok: true, content, meta };
}

const notShown = "Done, but the result could not be shown to the user. The log says why. Do not repeat the call for that.";
