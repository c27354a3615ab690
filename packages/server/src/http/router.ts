/** Finds the handler for a method and a path. */
export interface Router<Work> {
  /** `path` may have parameters in braces: "/tools/{name}/call". Throws if the path has a handler for this method. */
  add(method: string, path: string, work: Work): void;
  /** Literal parts take precedence over parameters; a parameter is never empty. Undefined if nothing matches. */
  find(method: string, path: string): Found<Work> | undefined;
  /** The methods of a path. */
  methods(path: string): readonly string[];
}

export interface Found<Work> {
  readonly work: Work;
  /** As in the path, not decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export function createRouter<Work>(): Router<Work> {
  const root = new RouteNode<Work>();

  function look(path: string): { readonly node: RouteNode<Work>; readonly values: readonly string[] } | undefined {
    const values: string[] = [];
    const node = path.startsWith("/") ? walk(root, path, 1, values) : undefined;
    return node && { node, values };
  }

  return {
    add(method, path, work) {
      const names: string[] = [];
      let node = root;
      for (const part of path.slice(1).split("/")) {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        if (name !== undefined) names.push(name);
        node = name === undefined ? node.below(part) : node.anyBelow();
      }
      if (node.works.has(method)) throw new Error(`${method} ${path} is there twice.`);
      node.works.set(method, { work, names });
    },
    find(method, path) {
      const found = look(path);
      const known = found?.node.works.get(method);
      if (found === undefined || known === undefined) return undefined;
      const params: Record<string, string> = {};
      for (let index = 0; index < known.names.length; index++) params[known.names[index]!] = found.values[index]!;
      return { work: known.work, params };
    },
    methods: (path) => [...(look(path)?.node.works.keys() ?? [])],
  };
}

/** What may follow a part of a path. */
class RouteNode<Work> {
  readonly works: Map<string, { readonly work: Work; readonly names: readonly string[] }> = new Map();
  readonly fixed: Map<string, RouteNode<Work>> = new Map();
  any: RouteNode<Work> | undefined = undefined;

  below(part: string): RouteNode<Work> {
    let node = this.fixed.get(part);
    if (node === undefined) this.fixed.set(part, (node = new RouteNode()));
    return node;
  }

  anyBelow(): RouteNode<Work> {
    return (this.any ??= new RouteNode());
  }
}

/** The node of the path from `start` on; collects the values of parameters. A path has few parts, so backtracking is cheap. */
function walk<Work>(node: RouteNode<Work>, path: string, start: number, values: string[]): RouteNode<Work> | undefined {
  const slash = path.indexOf("/", start);
  const part = path.slice(start, slash === -1 ? undefined : slash);
  const fixed = node.fixed.get(part);
  const found = fixed && (slash === -1 ? endAt(fixed) : walk(fixed, path, slash + 1, values));
  if (found !== undefined || node.any === undefined || part === "") return found;
  values.push(part);
  const below = slash === -1 ? endAt(node.any) : walk(node.any, path, slash + 1, values);
  if (below === undefined) values.pop();
  return below;
}

function endAt<Work>(node: RouteNode<Work>): RouteNode<Work> | undefined {
  return node.works.size === 0 ? undefined : node;
}
