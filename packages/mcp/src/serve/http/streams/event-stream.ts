import { keepAlive, toEvent, toPrimingEvent } from "../../../wire/sse.ts";

/** The connection that events are written to. */
export interface EventSink {
  /** False: so much waits to be sent that the reader is given up. */
  write(text: string): boolean;
  end(): void;
  /** Ends the connection at once. */
  giveUp(): void;
}

export interface EventStreamOptions {
  /** Streams with an id can be taken up again where they broke off. */
  readonly id?: string;
  /** Written before everything else. */
  readonly first?: string;
  /** The connection went away before the stream ended. */
  readonly onGone?: () => void;
  /** Everything was sent, or given up. */
  readonly onDone?: () => void;
  /** The message that a stream ends with when the server ends it. */
  readonly lastWords?: () => string;
}

/** Events on their way to one client. What is written before a connection is there waits for it. */
export class EventStream {
  readonly #options: EventStreamOptions;
  #kept: string[] = [];
  #keptLength = 0;
  #sink: EventSink | undefined;
  #isEnded = false;
  #isDone = false;
  /** The connection is to be ended as soon as it is there. */
  #closesNext = false;

  constructor(options: EventStreamOptions = {}) {
    this.#options = options;
    if (options.id !== undefined) this.#keep(toPrimingEvent(`${options.id}_0`, 1000));
    else if (options.first !== undefined) this.#keep(options.first);
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
    const event = toEvent(message, id === undefined ? undefined : `${id}_${this.#kept.length}`);
    if (this.#sink === undefined || id !== undefined) this.#keep(event);
    this.#write(event);
  }

  stayAlive(): void {
    this.#write(keepAlive);
  }

  /** Takes the connection that the events go to, and writes what was kept after the event number `after`. */
  attach(sink: EventSink, after = -1): void {
    this.#sink?.end();
    this.#sink = sink;
    for (const event of this.#kept.slice(after + 1)) this.#write(event);
    if (this.#options.id === undefined) this.#kept = [];
    if (this.#isEnded) return this.#finish();
    if (this.#closesNext) this.closeConnection();
    this.#closesNext = false;
  }

  /** The connection ended; a stream with an id waits for the next one. */
  detach(sink: EventSink): void {
    if (this.#sink !== sink || this.#isDone) return;
    this.#sink = undefined;
    if (this.#options.id === undefined) this.giveUp();
  }

  /** Ends the connection but not the stream, where it can be taken up again. */
  closeConnection(): void {
    if (this.#options.id === undefined) return;
    this.#closesNext = this.#sink === undefined;
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.end();
  }

  end(): void {
    const { lastWords } = this.#options;
    if (lastWords !== undefined) this.send(lastWords());
    this.#isEnded = true;
    if (this.#sink !== undefined) this.#finish();
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#kept = [];
    this.#sink?.end();
    this.#options.onDone?.();
  }

  /** Nobody will read what is left. */
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

  #keep(event: string): void {
    this.#kept.push(event);
    this.#keptLength += event.length;
    if (this.#keptLength > maxKeptLength) this.giveUp();
  }
}

/** What one stream may keep for a client that is away. */
const maxKeptLength = 8 * 1024 * 1024;
