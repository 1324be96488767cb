/** Counts the requests of a run. */
import type { Client, RequestOptions } from '../client/client.js';
import type { EndpointId } from '../service/endpoints/catalogue.js';

export class RequestCounts {
  requests = 0;
  /** Those for whole records. */
  details = 0;
  /** Whether the deployment has sent any usable response. */
  isReached = false;

  countIn(client: Client): Client {
    const fetch = async (endpointId: EndpointId, ask?: RequestOptions) => {
      this.requests++;
      if (ask?.query?.some(([name]) => name === 'view') || ask?.path) this.details++;
      const response = await client.fetch(endpointId, ask);
      this.isReached = true;
      return response;
    };
    return { ...client, fetch: fetch as Client['fetch'] };
  }
}
