import type { Wrapper } from "./wrapper.ts";

export interface LateWrapper extends Pick<Wrapper, "name" | "appliesTo"> {
  /** Those that the wrapper has. */
  readonly methods: readonly ("beforeRun" | "finish")[];
  load(): Promise<Wrapper>;
}

/** A wrapper that is loaded when a registry is made that needs it. Calls wait until it is there; if it cannot be loaded, they fail. */
export function createLateWrapper({ name, appliesTo, methods, load }: LateWrapper): Wrapper {
  let wrapper: Wrapper | undefined;
  const loading = load().then((loaded) => (wrapper = loaded));
  loading.catch(() => {}); // each call that waits for it fails with the reason
  return {
    name,
    ...(appliesTo && { appliesTo }),
    ...(methods.includes("beforeRun") && {
      beforeRun: (call) => (wrapper === undefined ? loading.then((loaded) => loaded.beforeRun?.(call)) : wrapper.beforeRun?.(call)),
    }),
    ...(methods.includes("finish") && {
      finish: (result, call) =>
        wrapper === undefined ? loading.then((loaded) => loaded.finish!(result, call)) : wrapper.finish!(result, call),
    }),
  };
}
