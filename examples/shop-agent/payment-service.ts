// A fake payment service with the API of Checkout Sessions: forms in, JSON out.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PaymentService {
  readonly url: string;
  /** The requests so far. */
  readonly orders: readonly Readonly<Record<string, string>>[];
  close(): void;
}

export async function startPaymentService(): Promise<PaymentService> {
  const orders: Record<string, string>[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const form = Object.fromEntries(new URLSearchParams(body));
    orders.push(form);
    const session = {
      id: `cs_${orders.length}`,
      url: `https://pay.example.com/cs_${orders.length}`,
      expires_at: Number(form["expires_at"]),
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(session));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    orders,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
