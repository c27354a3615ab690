import { callService } from "../../operations/service.ts";
import { listAt, type SearchBackend } from "./backend.ts";

export const brave: SearchBackend = {
  id: "brave",
  name: "Brave Search",
  defaultUrl: "https://api.search.brave.com",
  secret: "brave-api-key",
  async search(service, { query, limit }, key) {
    const parameters = new URLSearchParams({ q: query, count: String(Math.min(limit, 20)) });
    const answer = await callService(service, `/res/v1/web/search?${parameters}`, {
      headers: { accept: "application/json", "x-subscription-token": key },
    });
    return listAt(answer, "web", "results").map(({ title, url, description }) => ({ title, url, snippet: description }));
  },
};
