/** A module that a configuration names. In a file of its own, since a bundle that is no module itself has to bring its own way to load them. */
export function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  return import(url) as Promise<Readonly<Record<string, unknown>>>;
}
