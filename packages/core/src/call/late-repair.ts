// A file of its own, so that it is loaded only by registries that repair inputs.
export { repairValue } from "@toolrack/json-schema";
