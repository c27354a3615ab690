declare global {
  /** Without members, so that it merges with the AbortSignal of any platform: an interface in dom and Node, a class in workers. */
  interface AbortSignal {}
}

/** The AbortSignal of the project's platform; without types of a platform, the part that handlers use. */
type PlatformSignal = keyof AbortSignal extends never ? SignalParts : AbortSignal;

interface SignalParts {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export type { PlatformSignal as AbortSignal };
