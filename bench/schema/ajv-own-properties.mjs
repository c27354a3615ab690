import { create as createAjv } from "./ajv-speed.mjs";

/** ajv as it has to be set so that an inherited "constructor" is no property. */
export const create = ({ job }) => createAjv({ job, ajvOptions: { ownProperties: true } });
