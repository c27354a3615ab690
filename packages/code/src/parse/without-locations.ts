import type { Parser, Position } from "acorn";

/** What the parser for TypeScript does with lines and columns. */
interface LocatedParser {
  start: number;
  lastTokEnd: number;
  startLoc: unknown;
  options: { locations: boolean };
  /** Set at the first template: set from the start, all parsers have one form. */
  inTemplateElement: boolean;
}

interface Located {
  start: number;
  end: number;
}

/**
 * The parser for TypeScript insists on lines and columns, which nobody here reads: making them for every token and node takes a good part of its time.
 * Where it reads one, it takes the column for an offset.
 */
export function withoutLocations(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...given: unknown[]) => LocatedParser & {
    startNodeAt(start: number, place: Position): unknown;
    parseMaybeDefault(start: number, place: unknown, left?: unknown): { loc?: unknown };
  };
  return class extends Base {
    constructor(...given: unknown[]) {
      super(...given);
      this.options.locations = false;
      this.startLoc = new CurrentPlace(this);
      this.inTemplateElement = false;
    }
    curPosition(): unknown {
      return this.startLoc;
    }
    /** The parser asks what it answers for its place. */
    override parseMaybeDefault(start: number, place: unknown, left?: unknown): { loc?: unknown } {
      const node = super.parseMaybeDefault(start, place, left);
      node.loc ??= nowhere;
      return node;
    }
    resetStartLocation(node: Located, start: number): void {
      node.start = start;
    }
    resetStartLocationFromNode(node: Located, from: Located): void {
      node.start = from.start;
    }
    resetEndLocation(node: Located, end: number = this.lastTokEnd): void {
      node.end = end;
    }
    startNodeAtNode(node: Located): unknown {
      return this.startNodeAt(node.start, this.startLoc as Position);
    }
  } as unknown as typeof Parser;
}

const nowhere = Object.freeze({});

class CurrentPlace {
  private readonly parser: LocatedParser;
  constructor(parser: LocatedParser) {
    this.parser = parser;
  }
  get column(): number {
    return this.parser.start;
  }
}
