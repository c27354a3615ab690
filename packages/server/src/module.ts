// The public names of @toolrack/server/module: what a module of `tools.modules` needs, without the server.

export { defineModule, type ServerModule } from "./rack/modules/module.ts";
export type { PackConfig, PackContext, PackDefinition } from "./rack/packs/pack.ts";
export type { SourceKind, SourceKindContext } from "./rack/sources/source-kind.ts";
export type { AddedWrapper, AnyTool, ToolSource } from "@toolrack/core";
export type { LintRule } from "@toolrack/core/lint";
export type { Provider } from "@toolrack/core/vendors";
export type { ImplementationKind } from "@toolrack/store";
