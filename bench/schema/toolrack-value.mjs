import { schema, valid } from "./setting.mjs";
import { loadModule } from "./toolrack.mjs";

const { validateValue } = await loadModule("schema/validate");

/** The public door: finds the validator, checks, fills in defaults, answers a result. */
export const create = () => () => validateValue(schema, valid);
