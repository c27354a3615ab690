import { afterThisTest } from "@toolrack/testkit/cleanup";
import { hasNats, startNats } from "@toolrack/testkit/nats";
import { createMemoryBroker, type Link } from "../src/index.ts";
import { natsLink } from "../src/link/nats.ts";

/** A kind of link, and what it is tried with. */
export interface LinkKind {
  readonly name: string;
  readonly isThere: boolean;
  /** A broker for one test; each `connect` is a link of its own, closed after the test. */
  open(): Promise<Broker>;
}

export interface Broker {
  connect(): Promise<Link>;
}

export const linkKinds: readonly LinkKind[] = [
  {
    name: "memory",
    isThere: true,
    async open() {
      const broker = createMemoryBroker();
      return { connect: async () => closed(broker.connect()) };
    },
  },
  {
    name: "nats",
    isThere: hasNats,
    async open() {
      const nats = await startNats();
      afterThisTest(() => nats.stop());
      return {
        connect: async () => closed(await natsLink({ servers: nats.url, user: "all", password: "all", system: nats.system })),
      };
    },
  },
];

function closed(link: Link): Link {
  afterThisTest(() => link.close());
  return link;
}
