/** How a check asks the deployment: each request is sent once a run, and each check's requests are known. */
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
import type { CredentialsKind, Recorder } from './recorder.js';

export interface ProbeRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
  readonly as?: CredentialsKind;
}

/** A 2xx response that is whole JSON. */
export interface ProbeResponse {
  readonly value: JsonObject | readonly Json[];
  readonly exchange: RecordedExchange;
}

export interface ListReply extends ProbeResponse {
  readonly items: readonly Json[];
  readonly total: number | undefined;
}

/** A request that failed, retries included. */
export class RequestFailed extends Error {
  readonly exchange: RecordedExchange;
  readonly error: OpacError;

  constructor(error: OpacError, at: RecordedExchange) {
    super(error.message, { cause: error });
    this.error = error;
    this.exchange = at;
  }

  get status(): number | undefined {
    return this.error instanceof HttpError ? this.error.status : undefined;
  }

  get isSilence(): boolean {
    return this.error instanceof HttpError && this.status === undefined;
  }
}

export interface LoadedImage extends FetchedImage {
  readonly exchange: RecordedExchange;
}

export interface Deployment {
  readonly clients: Readonly<Record<CredentialsKind, Client>>;
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

/** What came of the requests of a run. */
export interface Received {
  /** By path and caller. */
  readonly replies: Map<string, ProbeResponse | RequestFailed>;
  readonly pictures: Map<string, LoadedImage | RequestFailed>;
}

/** Waits until the check of an endpoint is done. Throws NothingToTry when it found that the endpoint cannot be used. */
export type AwaitEndpoint = (endpointId: EndpointId) => Promise<void>;

export class Probe {
  readonly scheme: Deployment['scheme'];
  /** The requests of this check that were answered. */
  readonly listUsedExchanges = new Set<RecordedExchange>();
  readonly #deployment: Deployment;
  readonly #received: Received;
  readonly #awaitEndpoint: AwaitEndpoint;

  constructor(deployment: Deployment, received: Received, awaitEndpoint: AwaitEndpoint) {
    this.#deployment = deployment;
    this.#received = received;
    this.#awaitEndpoint = awaitEndpoint;
    this.scheme = deployment.scheme;
  }

  /** Asks an endpoint of the catalogue. Throws Unanswered. */
  async request(
    endpointId: EndpointId,
    { path, query = [], as = 'user' }: ProbeRequest = {},
  ): Promise<ProbeResponse> {
    if (as === 'user') await this.#awaitEndpoint(endpointId);
    return this.#send(fillPath(getEndpoint(endpointId), path), query, as, endpointId);
  }

  /** Asks for a path below `/api/v3` that is in no row of the catalogue. Throws Unanswered. */
  askPath(path: string, query: QueryParameters = []): Promise<ProbeResponse> {
    return this.#send(path, query, 'user', '');
  }

  /** The items of a list endpoint, wherever they stand in the response. Throws Unanswered, and NothingToTry for what is no list. */
  async requestList(endpointId: EndpointId, ask: ProbeRequest = {}): Promise<ListReply> {
    const reply = await this.request(endpointId, ask);
    const { response } = getEndpoint(endpointId);
    const offset = Number(ask.query?.find(([name]) => name === 'offset')?.[1] ?? 0);
    const list = response.shape === 'list' ? readList(reply.value, response, offset) : undefined;
    if (!list) throw new CheckNotApplicable(`the response to ${endpointId} holds no list`);
    return { ...reply, items: list.records, total: list.total };
  }

  /** An image as a download gets it, redirects and retries included. Throws Unanswered when a download would refuse it. */
  async requestImage(url: string): Promise<LoadedImage> {
    const { pictures } = this.#received;
    const picture = pictures.get(url) ?? (await this.#fetchPicture(url));
    pictures.set(url, picture);
    if (picture instanceof RequestFailed) throw picture;
    return picture;
  }

  async #fetchPicture(url: string): Promise<LoadedImage | RequestFailed> {
    const { recorder, clients, signal } = this.#deployment;
    const address = recorder.clean(url, 2000);
    // The printed command must not read a file of the user who copies it.
    const curl = /^https?:/.test(url) ? `curl -sSLo image ${shellWord(address)}` : '';
    const began = performance.now();
    const at = (status: number | undefined, excerpt: string, retries = 0): RecordedExchange => ({
      endpoint: '',
      path: address,
      status,
      milliseconds: performance.now() - began,
      tries: retries + 1,
      earlier: [],
      curl,
      excerpt,
      isUtf8: true,
    });
    try {
      const image = await fetchImage(clients.user, url, { signal });
      const { status, bytes, mediaType, retries } = image;
      return { ...image, exchange: at(status, `${bytes.length} bytes of ${mediaType}`, retries) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpError)) throw error;
      return new RequestFailed(error, at(error.status, recorder.clean(error.message), error.retries));
    }
  }

  /** All requests of the run that were answered. */
  listAllExchanges(): RecordedExchange[] {
    const { replies } = this.#received;
    return [...replies.values()].flatMap((each) => (each instanceof RequestFailed ? [] : [each.exchange]));
  }

  async #send(
    path: string,
    query: QueryParameters,
    as: CredentialsKind,
    endpointId: EndpointId | '',
  ): Promise<ProbeResponse> {
    const { replies } = this.#received;
    const key = JSON.stringify([as, path, query]);
    const reply = replies.get(key) ?? (await this.#receive({ path, query }, as, endpointId));
    replies.set(key, reply);
    if (reply instanceof RequestFailed) throw reply;
    this.listUsedExchanges.add(reply.exchange);
    return reply;
  }

  async #receive(
    request: { readonly path: string; readonly query: QueryParameters },
    as: CredentialsKind,
    endpointId: EndpointId | '',
  ): Promise<ProbeResponse | RequestFailed> {
    const { clients, recorder, signal } = this.#deployment;
    try {
      const { bytes } = await clients[as].getPath(request.path, { query: request.query, signal });
      const value = parseJsonLossless(bytes);
      const exchange = recorder.exchange(request, as, endpointId);
      return { value: isObject(value) || Array.isArray(value) ? value : {}, exchange };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OpacError)) throw error;
      return new RequestFailed(error, recorder.exchange(request, as, endpointId));
    }
  }
}

/** A parsed URL has no quotes, but a deployment may state anything. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", '%27')}'`;
}
