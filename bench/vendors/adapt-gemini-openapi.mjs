import { adaptTo } from "./adapt.mjs";

export const create = () => adaptTo("gemini-openapi");
