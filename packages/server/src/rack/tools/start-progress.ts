import type { EventListener, Logger, Registry } from "@toolrack/core";

/**
 * Tells while a server starts how many tools it has registered, so that a start with very many of them does not look like a standstill. A server with
 * fewer tools logs nothing. Returns the function that ends it.
 */
export function tellStart(registry: Pick<Registry, "subscribe" | "unsubscribe">, log: Logger, every: number = 10_000): () => void {
  let tools = 0;
  let isOver = false;
  const onEvent: EventListener = (event) => {
    if (event.type !== "tool-added") return;
    tools += 1;
    if (tools % every === 0) log.info("The server is starting, and registers its tools.", { tools });
  };
  registry.subscribe(onEvent);
  return () => {
    if (isOver) return;
    isOver = true;
    registry.unsubscribe(onEvent);
    if (tools >= every) log.info("All tools are registered.", { tools });
  };
}
