import type { Client } from "pg";

/**
 * Listens on a channel over a connection of its own, and opens it again when it breaks. `onWake` is called for each message, and after
 * each new connection, since messages of the meantime are lost.
 */
export function listen(createClient: () => Client, channel: string, onWake: () => void): { close(): Promise<void> } {
  let client: Client | undefined;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let tries = 0;

  function connect(): void {
    const current = createClient();
    client = current;
    let isDown = false;
    const goDown = (): void => {
      if (isDown) return;
      isDown = true;
      current.end().catch(() => undefined);
      if (isClosed) return;
      retry = setTimeout(connect, Math.min(2_000, 25 * 2 ** tries++));
      retry.unref();
    };
    current.on("error", goDown);
    current.on("end", goDown);
    current.on("notification", onWake);
    current
      .connect()
      .then(() => current.query(`listen ${channel}`))
      .then(() => {
        tries = 0;
        onWake();
      })
      .catch(goDown);
  }

  connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
