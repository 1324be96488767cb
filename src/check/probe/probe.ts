/** Sends the requests of a check. Checks that send the same request share one response. */
import type { Client } from '../../client/client.js';
import { HttpError } from '../../client/errors/http-error.js';
import { readList } from '../../client/paging/read-list.js';
import { type FetchedImage, fetchImage } from '../../images/fetch-image.js';
import { type EndpointId, fillPath, getEndpoint } from '../../service/endpoints/catalogue.js';
import { OpacError } from '../../service/errors.js';
import { isObject, type Json, type JsonObject } from '../../service/json.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import type { QueryParameters } from '../../service/search/record-search.js';
import { CheckNotApplicable, type RecordedExchange } from './deviation.js';
import type { CredentialsKind, Recorder, RequestTarget } from './recorder.js';

export interface ProbeRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
  readonly as?: CredentialsKind;
}

/** A 2xx response with valid JSON. */
export interface ProbeResponse {
  readonly value: JsonObject | readonly Json[];
  readonly exchange: RecordedExchange;
}

export interface ListReply extends ProbeResponse {
  readonly items: readonly Json[];
  readonly total: number | undefined;
}

/** Thrown if a request and its retries failed. */
export class RequestFailed extends Error {
  readonly exchange: RecordedExchange;
  readonly error: OpacError;

  constructor(error: OpacError, exchange: RecordedExchange) {
    super(error.message, { cause: error });
    this.error = error;
    this.exchange = exchange;
  }

  get status(): number | undefined {
    return this.error instanceof HttpError ? this.error.status : undefined;
  }

  /** Whether the error has no status: no response arrived, opac rejected the URL of an image, or the response was too large. */
  get lacksStatus(): boolean {
    return this.error instanceof HttpError && this.status === undefined;
  }
}

export interface LoadedImage extends FetchedImage {
  readonly exchange: RecordedExchange;
}

export interface CheckedDeployment {
  readonly clients: Readonly<Record<CredentialsKind, Client>>;
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

export interface Received {
  readonly responses: Map<string, Promise<ProbeResponse>>;
  readonly images: Map<string, Promise<LoadedImage>>;
  /** The API requests that received a valid response. */
  readonly exchanges: RecordedExchange[];
}

/** Runs the check of an endpoint, if that check is selected. Throws CheckNotApplicable if the endpoint does not work. */
export type AwaitEndpoint = (endpointId: EndpointId) => Promise<void>;

export class Probe {
  readonly scheme: CheckedDeployment['scheme'];
  readonly usedExchanges = new Set<RecordedExchange>();
  readonly #deployment: CheckedDeployment;
  readonly #received: Received;
  readonly #awaitEndpoint: AwaitEndpoint;

  constructor(deployment: CheckedDeployment, received: Received, awaitEndpoint: AwaitEndpoint) {
    this.#deployment = deployment;
    this.#received = received;
    this.#awaitEndpoint = awaitEndpoint;
    this.scheme = deployment.scheme;
  }

  /** Throws RequestFailed, and CheckNotApplicable if the endpoint does not work. */
  async request(
    endpointId: EndpointId,
    { path, query = [], as = 'user' }: ProbeRequest = {},
  ): Promise<ProbeResponse> {
    if (as === 'user') await this.#awaitEndpoint(endpointId);
    return this.#send({ path: fillPath(getEndpoint(endpointId), path), query }, as, endpointId);
  }

  /** Requests any path below `/api/v3` without running the check of its endpoint first. Throws RequestFailed. */
  requestPath(path: string, query: QueryParameters = []): Promise<ProbeResponse> {
    return this.#send({ path, query }, 'user', '');
  }

  /** Throws RequestFailed, and CheckNotApplicable if the endpoint does not work or the response contains no list. */
  async requestList(endpointId: EndpointId, request: ProbeRequest = {}): Promise<ListReply> {
    const reply = await this.request(endpointId, request);
    const { response } = getEndpoint(endpointId);
    const offset = Number(request.query?.find(([name]) => name === 'offset')?.[1] ?? 0);
    const list = response.shape === 'list' ? readList(reply.value, response, offset) : undefined;
    if (!list) throw new CheckNotApplicable(`the response to ${endpointId} contains no list`);
    return { ...reply, items: list.records, total: list.total };
  }

  /**
   * Does not compare the size of the image with the size in the record. Throws RequestFailed if the request fails, or if the
   * response is not a complete image.
   */
  requestImage(url: string): Promise<LoadedImage> {
    const { images } = this.#received;
    const image = images.get(url) ?? this.#fetchImage(url);
    images.set(url, image);
    return image;
  }

  async #fetchImage(url: string): Promise<LoadedImage> {
    const { recorder, clients, signal } = this.#deployment;
    const path = recorder.sanitize(url, 2000);
    // Users may copy and run this command. It must not read local files (`file:`).
    const curl = /^https?:/.test(url) ? `curl -sSLo image ${quoteForShell(path)}` : '';
    const began = performance.now();
    const record = (status: number | undefined, response: string, retries = 0): RecordedExchange => {
      const milliseconds = Math.round(performance.now() - began);
      const request = { path, status: status ?? null, milliseconds, tries: retries + 1, curl, response };
      return { endpoint: '', earlier: [], isUtf8: true, request };
    };
    try {
      const image = await fetchImage(clients.user, url, { signal });
      const { status, bytes, mediaType, retries } = image;
      return { ...image, exchange: record(status, `${bytes.length} bytes of ${mediaType}`, retries) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpError)) throw error;
      throw new RequestFailed(error, record(error.status, recorder.sanitize(error.message), error.retries));
    }
  }

  listAllExchanges(): readonly RecordedExchange[] {
    return this.#received.exchanges;
  }

  async #send(target: RequestTarget, as: CredentialsKind, endpoint: EndpointId | ''): Promise<ProbeResponse> {
    const { responses } = this.#received;
    const key = JSON.stringify([as, target]);
    const response = responses.get(key) ?? this.#receive(target, as, endpoint);
    responses.set(key, response);
    this.usedExchanges.add((await response).exchange);
    return response;
  }

  async #receive(target: RequestTarget, as: CredentialsKind, endpoint: EndpointId | '') {
    const { clients, recorder, signal } = this.#deployment;
    try {
      const { bytes } = await clients[as].getPath(target.path, { query: target.query ?? [], signal });
      const value = parseJsonLossless(bytes);
      const exchange = recorder.getExchange(target, as, endpoint);
      this.#received.exchanges.push(exchange);
      return { value: isObject(value) || Array.isArray(value) ? value : {}, exchange };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OpacError)) throw error;
      throw new RequestFailed(error, recorder.getExchange(target, as, endpoint));
    }
  }
}

/** Quotes a URL for a shell. A single quote in the URL would end the quoted text, so `%27` replaces it. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", '%27')}'`;
}
