/// <reference types="node" preserve="true" />
/**
 * The library, for scripts that work with records. The module `opac/mock` simulates the service, for tests of scripts.
 *
 *     import { createClient, paginateEndpoint, readRecord } from 'opac';
 *
 *     const client = createClient({ baseUrl: 'https://collection.example.org' });
 *     for await (const { records } of paginateEndpoint(client, 'objects.search', { query: [['hasImages', 'true']] }))
 *       for (const { record } of records) console.log(readRecord(record, 'objects').title);
 *     await client.close();
 */

// Send requests to a deployment; export, compare, check and mirror its records.
export type { CheckResult, Report as CheckReport, ReportedDeviation } from './check/reports/report-text.js';
export {
  type Client,
  type ClientOptions,
  createClient,
  type FetchedResponse,
  type RequestOptions,
} from './client/client.js';
export { ANONYMOUS, type Credentials } from './client/credentials.js';
export { HttpError } from './client/errors/http-error.js';
export type { HttpResponse } from './client/http-request.js';
export { fetchTotal, type ListedRecord } from './client/paging/pages.js';
export type { Paging } from './client/paging/paginate.js';
export type { Page, PagingOptions } from './client/paging/paging-options.js';
export type { PagingNotice, PagingReport } from './client/paging/paging-report.js';
export type { FieldChange } from './diff/changes.js';
export type { KindTally } from './diff/tally.js';
export type { ExportFormat } from './export/convert/formats.js';
export type { ExportedFiles, ExportOutcome } from './export/export-records.js';
export type { Manifest, ManifestFile } from './export/verify/manifest.js';
export { type CheckOptions, checkDeployment } from './library/check-deployment.js';
export {
  type DiffOptions,
  diffSnapshots,
  type RecordDifference,
  type SnapshotDiff,
} from './library/diff-snapshots.js';
export { type ExportOptions, exportRecords } from './library/export-records.js';
export { type Connection, type ConnectionOptions, loadConnection } from './library/load-connection.js';
export { paginateEndpoint } from './library/paginate-endpoint.js';
export { type MirrorOptions, syncMirror } from './library/sync-mirror.js';
export { type VerifiedFile, verifyFiles } from './library/verify-files.js';
export type { SyncOutcome as MirrorOutcome } from './mirror/sync-mirror.js';
export type { KindOutcome } from './mirror/sync-options.js';

// Endpoints, records and searches of the service; errors and the version of opac.
export {
  CATALOGUE,
  type Endpoint,
  type EndpointId,
  getEndpoint,
  type ListEndpointId,
  type ResponseOf,
} from './service/endpoints/catalogue.js';
export type { Provenance } from './service/endpoints/endpoint-row.js';
export { type ErrorKind, OpacError, UsageError } from './service/errors.js';
export { KINDS, type Kind, RECORD_KINDS, type RecordKind } from './service/kinds.js';
export { type Migration, migrateUrl } from './service/migrate/migrate-url.js';
export { type Column, parseColumn, parseColumns } from './service/records/columns.js';
export { toFlatJson } from './service/records/flat-json.js';
export {
  type CollectionRecord,
  type Derivative,
  type FieldValue,
  findLargestDerivative,
  getFieldValues,
  type Image,
  type RelatedRecord,
  type Relationship,
  readRecord,
} from './service/records/record.js';
export { buildQuery, quoteValue, type SearchTerms } from './service/search/query.js';
export { type QueryParameters, type RecordSearch, searchParameters } from './service/search/record-search.js';
export { VERSION } from './service/version.js';
