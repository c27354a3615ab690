/** Tools as a plain array: find one, run one, list them for a model. Needs no registry. */

export { type ApiTool, executeTool, exportForApi, findTool } from "../tool/array.ts";
