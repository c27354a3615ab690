// The public names of @toolrack/openapi, one by one: adding a line here is a decision.

export type { OpenApiAnswer } from "./call/answer.ts";
export type { OpenApiToolDescription, ParameterPlace } from "./operation.ts";
export type { OpenApiCallOptions, OperationFilter, ParameterFilter, ReadOpenApiOptions } from "./options.ts";
export type { BuildRequestOptions, MultipartBody, MultipartPart, OpenApiRequest } from "./request/request.ts";
export { callOpenApi, type CallOpenApiOptions } from "./tools/call-openapi.ts";
export { createDescribeOperation, type DescribeOperationOptions, type ServedTool } from "./tools/describe-tool.ts";
export {
  buildRequest,
  describeOpenApiTool,
  openApiPrint,
  openApiRequestForm,
  type OpenApiRequestForm,
  wholeDescriptionOf,
} from "./tools/described.ts";
export { type OpenApiPlan, type PlannedTool, planOpenApi } from "./tools/plan.ts";
export { loadOpenApi, type LoadOpenApiOptions, type OpenApiDocumentFacts, type OpenApiTools, readOpenApi } from "./tools/read-openapi.ts";
export { type OpenApiSource, openApiSource, type OpenApiSourceOptions } from "./tools/source.ts";
