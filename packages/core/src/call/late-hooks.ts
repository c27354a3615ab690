import type { AfterCallHook, BeforeCallHook } from "./hooks.ts";
import { createLateWrapper } from "./late-wrapper.ts";
import type { Wrapper } from "./wrapper.ts";

/** The hooks of a registry, loaded when it has some. */
export function createLateBeforeHooks(hooks: readonly BeforeCallHook[]): Wrapper | undefined {
  if (hooks.length === 0) return undefined;
  const load = (): Promise<Wrapper> => import("./wrappers/before-hooks.ts").then(({ createBeforeHooks }) => createBeforeHooks(hooks));
  return createLateWrapper({ name: "before-hooks", methods: ["beforeRun"], load });
}

export function createLateAfterHooks(hooks: readonly AfterCallHook[]): Wrapper | undefined {
  if (hooks.length === 0) return undefined;
  const load = (): Promise<Wrapper> => import("./wrappers/after-hooks.ts").then(({ createAfterHooks }) => createAfterHooks(hooks));
  return createLateWrapper({ name: "after-hooks", methods: ["finish"], load });
}
