export { errorCodes, type ErrorCode, ToolAuthorizationError, ToolError, type ToolErrorOptions, ToolInputError } from "./errors.ts";
