import type { AfterCallHook, BeforeCallHook } from "./hooks.ts";
import { createLateWrapper } from "./late-wrapper.ts";
import type { Wrapper } from "./wrapper.ts";

/** The hooks of a registry, loaded when it has some. */
export function createLateBeforeHooks(hooks: readonly BeforeCallHook[]): Wrapper | undefined {
  if (hooks.length === 0) return undefined;
  const own = [...hooks]; // what the caller changes in the list later is not seen
  const load = (): Promise<Wrapper> => import("./wrappers/before-hooks.ts").then(({ createBeforeHooks }) => createBeforeHooks(own));
  return createLateWrapper({ name: "before-hooks", methods: ["beforeRun"], load });
}

export function createLateAfterHooks(hooks: readonly AfterCallHook[]): Wrapper | undefined {
  if (hooks.length === 0) return undefined;
  const own = [...hooks];
  const load = (): Promise<Wrapper> => import("./wrappers/after-hooks.ts").then(({ createAfterHooks }) => createAfterHooks(own));
  return createLateWrapper({ name: "after-hooks", methods: ["finish"], load });
}
