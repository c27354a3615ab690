/**
 * Carries messages between servers and workers. What a broker gives, and nothing else: subjects, and word of who went away.
 * Contract: messages of one link to one subject arrive in order, each at most once, or not at all; nothing is kept for those who subscribe
 * later; `publish` never throws because the broker is away.
 */
export interface Link {
  /** By this name others are told that the link went away. */
  readonly name: string;
  /** Whether messages can be sent now. */
  readonly isConnected: boolean;
  /** The longest message, in bytes. */
  readonly maxBytes: number;
  publish(subject: string, message: Uint8Array): void;
  /** Answers the function that ends the subscription. */
  subscribe(subject: string, onMessage: (message: Uint8Array) => void): () => void;
  /** Told when the connection to the broker is lost, and when it is back. */
  onConnection(listener: (isConnected: boolean) => void): () => void;
  /**
   * Told the name of another link that went away, as soon as the broker knows. A broker that tells nothing is no fault: then a worker is lost
   * when it stays silent.
   */
  onGone(listener: (name: string) => void): () => void;
  /** Resolves when everything published was handed to the broker. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
