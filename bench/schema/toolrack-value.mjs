import { validateValue } from "@toolrack/json-schema";
import { schema, valid } from "./setting.mjs";

/** The public door: finds the validator, checks, fills in defaults, answers a result. */
export const create = () => () => validateValue(schema, valid);
