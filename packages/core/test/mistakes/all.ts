import { call } from "./cases/call.ts";
import { definition } from "./cases/definition.ts";
import { framework } from "./cases/framework.ts";
import { options } from "./cases/options.ts";
import { policy } from "./cases/policy.ts";
import { registration } from "./cases/registration.ts";
import { result } from "./cases/result.ts";
import { vendor } from "./cases/vendor.ts";
import type { Mistake } from "./mistake.ts";

/** Every mistake by its subject, which is also the name of its file in `cases/`. */
export const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  definition,
  registration,
  options,
  policy,
  call,
  result,
  vendor,
  framework,
};
