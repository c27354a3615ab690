import { keepAlive, toEvent, toPrimingEvent } from "../../../wire/sse.ts";

/** The connection that events are written to. */
export interface EventSink {
  /** False: too much is waiting to be sent, so the connection is dropped. */
  write(text: string): boolean;
  end(): void;
  /** Ends the connection at once. */
  giveUp(): void;
}

export interface EventStreamOptions {
  /** Streams with an id can be resumed after their connection was lost. */
  readonly id?: string;
  /** Written before everything else. */
  readonly first?: string;
  /** The connection was lost before the stream ended. */
  readonly onGone?: () => void;
  /** Everything was sent, or dropped. */
  readonly onDone?: () => void;
  /** The message that a stream ends with when the server ends it. */
  readonly finalMessage?: () => string;
}

/** Events for one client. Events that are sent before there is a connection wait for it. */
export class EventStream {
  readonly #options: EventStreamOptions;
  #buffered: string[] = [];
  #bufferedLength = 0;
  #sink: EventSink | undefined;
  #isEnded = false;
  #isDone = false;
  /** End the next connection as soon as it is attached. */
  #closesNext = false;

  constructor(options: EventStreamOptions = {}) {
    this.#options = options;
    if (options.id !== undefined) this.#buffer(toPrimingEvent(`${options.id}_0`, 1000));
    else if (options.first !== undefined) this.#buffer(options.first);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get hasReader(): boolean {
    return this.#sink !== undefined;
  }

  send(message: string): void {
    if (this.#isEnded || this.#isDone) return;
    const { id } = this.#options;
    const event = toEvent(message, id === undefined ? undefined : `${id}_${this.#buffered.length}`);
    if (this.#sink === undefined || id !== undefined) this.#buffer(event);
    this.#write(event);
  }

  stayAlive(): void {
    this.#write(keepAlive);
  }

  /** Attaches a connection, and writes the buffered events after the event number `after`. */
  attach(sink: EventSink, after = -1): void {
    this.#sink?.end();
    this.#sink = sink;
    for (const event of this.#buffered.slice(after + 1)) this.#write(event);
    if (this.#options.id === undefined) this.#buffered = [];
    if (this.#isEnded) return this.#finish();
    if (this.#closesNext) this.closeConnection();
    this.#closesNext = false;
  }

  /** The connection ended; a stream with an id waits to be resumed. */
  detach(sink: EventSink): void {
    if (this.#sink !== sink || this.#isDone) return;
    this.#sink = undefined;
    if (this.#options.id === undefined) this.giveUp();
  }

  /** Ends the connection but not the stream, if it can be resumed. */
  closeConnection(): void {
    if (this.#options.id === undefined) return;
    this.#closesNext = this.#sink === undefined;
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.end();
  }

  end(): void {
    const { finalMessage } = this.#options;
    if (finalMessage !== undefined) this.send(finalMessage());
    this.#isEnded = true;
    if (this.#sink !== undefined) this.#finish();
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#buffered = [];
    this.#sink?.end();
    this.#options.onDone?.();
  }

  /** Drops what was not sent, since it will not be read. */
  giveUp(): void {
    const wasEnded = this.#isEnded || this.#isDone;
    this.#sink?.giveUp();
    this.#sink = undefined;
    this.#finish();
    if (!wasEnded) this.#options.onGone?.();
  }

  #write(text: string): void {
    if (this.#sink === undefined || this.#sink.write(text)) return;
    this.giveUp();
  }

  #buffer(event: string): void {
    this.#buffered.push(event);
    this.#bufferedLength += event.length;
    if (this.#bufferedLength > maxKeptLength) this.giveUp();
  }
}

/** How much one stream buffers for a client that is not connected. */
const maxKeptLength = 8 * 1024 * 1024;
