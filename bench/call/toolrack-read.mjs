import { create as createCall } from "./toolrack.mjs";

/** The refusal with every sentence read, as a model would. */
export async function create(setting) {
  const call = await createCall(setting);
  return async () => (await call()).error;
}
