// The public names of @toolrack/agent/testing, one by one. Nothing here imports a test runner.

export { type OpenSessions, sessionStoreContract } from "./session-store-contract.ts";
export {
  type ScriptedCall,
  scriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedParts,
  type ScriptedReply,
} from "./scripted-model.ts";
