import { createRegistry } from "../registry/create.ts";
import type { RegistryOptions, ServicesRequest } from "../registry/options.ts";
import type { Registry, ToolDescription } from "../registry/registry.ts";
import type { ClassTool } from "../tool/base-tool.ts";
import type { Caller } from "../tool/context.ts";
import { type StructuredResult, toStructured } from "../tool/result.ts";
import type { AnyTool } from "../tool/shapes.ts";

/** A registry whose `invoke` is given the session, as in a registry written in Python. Each tool gets the session of its own call. */
// Any: sessions are whatever tools expect.
export class ToolRegistry<Session = any> {
  /** The registry that does the work: policies, sources, events and all the rest. */
  readonly registry: Registry<Session>;
  readonly #given = new Map<string, AnyTool<Session>>();
  /** By the caller of a call, which the calls that it makes have as well. */
  readonly #sessions = new WeakMap<Caller, Session>();

  constructor(options: Omit<RegistryOptions<Session>, "services" | "closeServices"> = {}) {
    this.registry = createRegistry<Session>({
      ...options,
      services: ({ caller }: ServicesRequest) => this.#sessions.get(caller) as Session,
      closeServices: () => {}, // the session belongs to whoever invokes
    });
  }

  /** Throws NAME_TAKEN for a name that is registered already. */
  register(tool: ClassTool<Session> | AnyTool<Session>): void {
    const { name } = this.registry.register(tool as AnyTool<Session>);
    this.#given.set(name, tool as AnyTool<Session>);
  }

  /** The tool as it was registered. */
  get(name: string): AnyTool<Session> | undefined {
    return this.registry.has(name) ? (this.#given.get(name) ?? this.registry.get(name)) : undefined;
  }

  /** Name, description and parameters of every tool on offer, for a prompt or for function calling. */
  list_tools(): readonly ToolDescription[] {
    return this.registry.describe();
  }

  /** Never rejects: an unknown name and invalid parameters are results, too. */
  async invoke(session: Session, tool_name: string, parameters: unknown, caller: Caller = {}): Promise<StructuredResult> {
    const own = { ...caller };
    this.#sessions.set(own, session);
    return toStructured(await this.registry.invoke(tool_name, parameters, { caller: own }));
  }
}
