/** Builds the console to static files in dist. */
export function buildConsole(): Promise<void>;
