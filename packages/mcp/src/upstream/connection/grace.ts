/** How long the tools of a server stay after its connection was lost. */
export interface Grace {
  /** The connection was lost. */
  begin(): void;
  /** It is back. */
  end(): void;
  /** True once, after the time is over. */
  takeExpiry(): boolean;
}

export function createGrace(graceMs: number, onExpired: () => void): Grace {
  let timer: NodeJS.Timeout | undefined;
  let isExpired = false;
  return {
    begin() {
      timer ??= setTimeout(() => {
        isExpired = true;
        onExpired();
      }, graceMs).unref();
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      isExpired = false;
    },
    takeExpiry() {
      const wasExpired = isExpired;
      isExpired = false;
      return wasExpired;
    },
  };
}
