/** Imports a module of the configuration. In a file of its own, since the CommonJS bundle of the command replaces it. */
export function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  return import(url) as Promise<Readonly<Record<string, unknown>>>;
}
