import { createDeadlines } from "#deadlines";
import { createChain } from "../call/chain.ts";
import { createLateRedaction } from "../call/late-redaction.ts";
import type { SecretsPort } from "../call/ports/secrets.ts";
import { createEventLog } from "../events.ts";
import { silentLogger } from "../tool/logger.ts";
import { describeThrown } from "../tool/result.ts";
import { systemClock } from "../util/clock.ts";
import { createCallHost } from "./call-host.ts";
import { createCapabilities } from "./capabilities.ts";
import { createEntries } from "./entries.ts";
import { createMethods, requireRead } from "./methods.ts";
import { checkRegistryOptions } from "./option-fields.ts";
import type { RegistryOptions, ServicesRequest } from "./options.ts";
import { createPermission } from "./permission.ts";
import type { Registry } from "./registry.ts";
import { createSourceSync } from "./source-sync.ts";

/** Makes the parts of a registry and connects them; each part is one file of this folder. */
export function createRegistry<Services>(
  options: RegistryOptions<Services> & { readonly services: Services | ((call: ServicesRequest) => Services | Promise<Services>) },
): Registry<Services>;
export function createRegistry<Services = undefined>(options?: RegistryOptions<Services>): Registry<Services | undefined>;
export function createRegistry<Services>(options: RegistryOptions<Services> = {}): Registry<Services> {
  checkRegistryOptions(options as RegistryOptions);
  const { clock = systemClock, log = silentLogger, secrets = noSecrets, config, limits = {} } = options;
  const events = createEventLog({
    now: () => clock.now(),
    onListenerError: (error, event) => log.error("An event listener threw.", { event: event.type, error: describeThrown(error) }),
  });
  const redaction = options.redaction && createLateRedaction(options.redaction);
  const { wrappers, added, breaker } = createChain({
    limits,
    before: options.hooks?.before ?? [],
    after: options.hooks?.after ?? [],
    deadlines: createDeadlines(clock),
    ...(options.workspace && { workspace: options.workspace }),
    ...(redaction && { redaction: redaction.wrapper }),
    ...(options.wrappers && { added: options.wrappers }),
  });
  const capabilities = options.capabilities ?? createCapabilities();
  const entries = createEntries({ capabilities, secrets, config, breaker, events, services: options.services, aliases: options.aliases });
  const sources = createSourceSync({
    put: (tool, source) => entries.putFromSource(tool, source),
    take: (tool, source) => entries.remove(tool.name, (entry) => entry.source === source && entry.tool === tool),
    clock,
    onStatus({ id, state, error }) {
      if (events.hasListeners)
        events.emit({ type: state === "ready" ? "source-ready" : "source-failed", source: id, ...(error !== undefined && { error }) });
    },
    onCallerTools: () => entries.tools.touch(),
    onRemoved: (source) => events.emit({ type: "source-removed", source }),
    onProblem: (source, error) => log.warn("A source failed to list the tools of a caller.", { source, error }),
  });
  const permission = createPermission({
    revision: () => entries.tools.revision,
    collection: entries.collection,
    hasCallerTools: () => sources.hasCallerTools,
    toolsFor: (caller) => sources.toolsFor(caller).filter((tool) => entries.tools.find(tool.name) === undefined),
    availability: (tool) => entries.availability(entries.of(tool)),
    workspace: options.workspace,
  });
  permission.setPolicy(requireRead(options.policy));
  const calls = createCallHost(options, { clock, log, events, secrets, wrappers, added, redaction, entries, sources, permission });
  return createMethods({ events, entries, sources, permission, calls, createEmpty: () => createRegistry(options) });
}

const noSecrets: SecretsPort = { has: () => false, get: () => Promise.resolve(undefined) };
