import { ToolInputError } from "@toolrack/core";
import { programVariables, variablesOf } from "@toolrack/core/internal/programs";

export interface EnvironmentOptions {
  /** Variables of this process that programs get. @default PATH, HOME, LANG, TZ and the like */
  readonly inherit?: readonly string[];
  /** Variables that every program gets, with their values. */
  readonly set?: Readonly<Record<string, string>>;
  /** Variables that a call may set. @default none */
  readonly accept?: readonly string[];
}

/** The environment of one program. Throws where a call sets a variable that it may not set. */
export function environmentFor(options: EnvironmentOptions, wanted: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { inherit = programVariables, set = {}, accept = [] } = options;
  const refused = Object.keys(wanted).find((name) => !accept.includes(name));
  if (refused !== undefined) {
    const allowed = accept.length === 0 ? "No variable can be set here" : `Allowed are ${accept.join(", ")}`;
    throw new ToolInputError(`The variable ${JSON.stringify(refused.slice(0, 100))} cannot be set by a call. ${allowed}.`);
  }
  return { ...variablesOf(inherit), ...set, ...wanted };
}
