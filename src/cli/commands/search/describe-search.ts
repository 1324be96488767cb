/** Describes a search and its source, for the heading of a page. */
import { basename } from 'node:path';
import { manifestPath } from '../../../export/export-paths.js';
import { readManifest } from '../../../export/verify/manifest.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { getDeploymentName } from './deployment-name.js';

/** Returns a title such as `Objects: fern, with images`. */
export function formatTitle(what: string, search: SearchInput): string {
  const described = describeSearch(search);
  return described === '' ? what : `${what}: ${described}`;
}

function describeSearch(search: SearchInput): string {
  const { terms, facets, valueFile, externalId, queryFile, hasImages } = search;
  const describe = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}: ${value || 'no value'}`];
  return [
    ...(terms.text ?? []),
    ...[...terms.where, ...facets].flatMap(({ field, value }) => describe(field, value)),
    ...(valueFile ? describe(valueFile.field, `values in ${valueFile.value}`) : []),
    ...describe('collection', terms.collection),
    ...describe('highlight', terms.highlight),
    ...describe('ids', externalId),
    ...describe('query', queryFile ?? terms.raw),
    ...(terms.exact ? ['exact'] : []),
    ...(hasImages ? ['with images'] : []),
  ].join(', ');
}

/** Returns the deployment and the time of the report; with `--from`, also the files and the time of the oldest export. */
export async function describeSource(context: Context): Promise<string[]> {
  const { from } = context.globalOptions;
  const now = formatTime(new Date(context.now()).toISOString());
  const deployment = (await getDeploymentName(context)) ?? 'unknown deployment';
  if (from.length === 0) return [`Source: ${deployment}, ${now}`];
  const manifests = (await context.files()).paths.map((path) => readManifest(manifestPath(path)));
  const finished = (await Promise.allSettled(manifests)).flatMap((each) =>
    each.status === 'fulfilled' ? [each.value.finished] : [],
  );
  const age = finished.length > 0 ? `, exported ${formatTime(finished.sort()[0] ?? '')}` : '';
  return [`Source: ${deployment}; ${from.map((path) => basename(path)).join(', ')}${age}`, `Report: ${now}`];
}

const formatTime = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
