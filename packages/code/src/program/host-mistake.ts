/** An exception of a function that the host gave: it goes to the host, never to the program. */
export class HostMistake {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Calls a function of the host. */
export function askHost<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new HostMistake(error);
  }
}
