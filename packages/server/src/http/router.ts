/** Finds what answers for a method and a path. */
export interface Router<Work> {
  /** `path` may have parameters in braces: "/tools/{name}/call". Throws where the method of this path is taken. */
  add(method: string, path: string, work: Work): void;
  /** What is written out goes before a parameter; a parameter is never empty. Undefined where nothing is there. */
  find(method: string, path: string): Found<Work> | undefined;
  /** Which methods a path has. */
  methods(path: string): readonly string[];
}

export interface Found<Work> {
  readonly work: Work;
  /** As they stand in the path, not decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export function createRouter<Work>(): Router<Work> {
  const root = new Place<Work>();

  function look(path: string): { readonly place: Place<Work>; readonly values: readonly string[] } | undefined {
    const values: string[] = [];
    const place = path.startsWith("/") ? walk(root, path, 1, values) : undefined;
    return place && { place, values };
  }

  return {
    add(method, path, work) {
      const names: string[] = [];
      let place = root;
      for (const part of path.slice(1).split("/")) {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        if (name !== undefined) names.push(name);
        place = name === undefined ? place.below(part) : place.anyBelow();
      }
      if (place.works.has(method)) throw new Error(`${method} ${path} is there twice.`);
      place.works.set(method, { work, names });
    },
    find(method, path) {
      const found = look(path);
      const known = found?.place.works.get(method);
      if (found === undefined || known === undefined) return undefined;
      const params: Record<string, string> = {};
      for (let index = 0; index < known.names.length; index++) params[known.names[index]!] = found.values[index]!;
      return { work: known.work, params };
    },
    methods: (path) => [...(look(path)?.place.works.keys() ?? [])],
  };
}

/** What may follow one part of a path. */
class Place<Work> {
  readonly works: Map<string, { readonly work: Work; readonly names: readonly string[] }> = new Map();
  readonly fixed: Map<string, Place<Work>> = new Map();
  any: Place<Work> | undefined = undefined;

  below(part: string): Place<Work> {
    let place = this.fixed.get(part);
    if (place === undefined) this.fixed.set(part, (place = new Place()));
    return place;
  }

  anyBelow(): Place<Work> {
    return (this.any ??= new Place());
  }
}

/** The place of the path from `start` on; fills in what stands for parameters. A path has few parts, so going back costs little. */
function walk<Work>(place: Place<Work>, path: string, start: number, values: string[]): Place<Work> | undefined {
  const slash = path.indexOf("/", start);
  const part = path.slice(start, slash === -1 ? undefined : slash);
  const fixed = place.fixed.get(part);
  const found = fixed && (slash === -1 ? endAt(fixed) : walk(fixed, path, slash + 1, values));
  if (found !== undefined || place.any === undefined || part === "") return found;
  values.push(part);
  const below = slash === -1 ? endAt(place.any) : walk(place.any, path, slash + 1, values);
  if (below === undefined) values.pop();
  return below;
}

function endAt<Work>(place: Place<Work>): Place<Work> | undefined {
  return place.works.size === 0 ? undefined : place;
}
