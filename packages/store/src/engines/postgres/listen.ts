import type { Client } from "pg";

export interface Listening {
  readonly isConnected: boolean;
  /** Closes the connection and opens another. */
  reopen(): void;
  close(): Promise<void>;
}

export interface ListenEvents {
  onMessage(payload: string): void;
  /** Called after each new connection: messages of the meantime are lost. */
  onConnected(): void;
  onLost(): void;
}

/** Listens on a channel over a connection of its own, and opens it again when it breaks. */
export function listen(createClient: () => Client, channel: string, { onMessage, onConnected, onLost }: ListenEvents): Listening {
  let isClosed = false;
  let isConnected = false;
  let retry: NodeJS.Timeout | undefined;
  let tries = 0;
  let goDown = (): void => undefined;
  let client: Client | undefined;

  function connectLater(): void {
    retry = setTimeout(connectAgain, Math.min(2_000, 25 * 2 ** tries++));
    retry.unref();
  }

  /** A client reads the files that its address names, which may be away for a moment. */
  function connectAgain(): void {
    try {
      connect();
    } catch {
      connectLater();
    }
  }

  function connect(): void {
    const current = createClient();
    client = current;
    let isDown = false;
    goDown = () => {
      if (isDown) return;
      isDown = true;
      isConnected = false;
      current.end().catch(() => undefined);
      if (isClosed) return;
      onLost();
      connectLater();
    };
    current.on("error", goDown);
    current.on("end", goDown);
    current.on("notification", ({ payload = "" }) => onMessage(payload));
    current
      .connect()
      .then(() => current.query(`listen ${channel}`))
      .then(() => {
        if (isDown) return;
        tries = 0;
        isConnected = true;
        onConnected();
      })
      .catch(goDown);
  }

  connect();
  return {
    get isConnected() {
      return isConnected;
    },
    reopen: () => goDown(),
    async close() {
      isClosed = true;
      isConnected = false;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
