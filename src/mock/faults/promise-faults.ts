/** Faults that each break one promise of the API. They change the request before the museum reads it, or the response. */
import { type JsonRecord, readObjects } from '../../local/record.js';
import { jsonResponse } from '../../local/response.js';
import type { FaultTable, MutableRequest } from './fault-row.js';

const dropParameters =
  (...names: readonly string[]) =>
  ({ query }: MutableRequest) => {
    for (const name of names) query.delete(name);
  };

const rewriteQuery = (rewrite: (query: string) => string) => (request: MutableRequest) => {
  const before = request.query.get('query') ?? '';
  const after = rewrite(before).trim();
  if (after === '') request.query.delete('query');
  else request.query.set('query', after);
};

const dropTerms = (field: string) =>
  rewriteQuery((query) => query.replace(new RegExp(`${field}:(?:"[^"]*"|\\([^)]*\\))(?: AND )?`, 'g'), ''));

const readNumber = (query: URLSearchParams, name: string, fallback: number) =>
  Number(query.get(name) ?? fallback);

const changeKey = (key: string, change: (value: unknown) => unknown) => (value: JsonRecord) =>
  Object.hasOwn(value, key) ? { ...value, [key]: change(value[key]) } : value;

const dropKey = (key: string) => (value: JsonRecord) => {
  const { [key]: _, ...rest } = value;
  return rest;
};

const findFieldSetsKey = (value: JsonRecord) =>
  Object.keys(value).find((key) => /^opac\w+FieldSets$/.test(key));

const changeFieldSets =
  (change: (sets: readonly JsonRecord[], fieldsKey: string) => readonly JsonRecord[]) =>
  (value: JsonRecord) => {
    const key = findFieldSetsKey(value);
    if (key === undefined) return value;
    return { ...value, [key]: change(readObjects(value[key]), key.replace('FieldSets', 'Fields')) };
  };

/** The `;` is the end of `&amp;` in the link of the sign-in page. */
const changeState = (text: string) => text.replace(/([?;&]state=)/, '$1not');

export const PROMISE_FAULTS = {
  'limit-ignored': { misread: dropParameters('limit') },
  'offset-in-pages': {
    misread: ({ query }) => {
      const pages = readNumber(query, 'offset', 0);
      if (pages > 0) query.set('offset', String(pages * readNumber(query, 'limit', 20)));
    },
  },
  /** Changes the total of a search, but not `totalObjects` of a collection or a highlight. */
  'total-wrong': {
    misstate: (value) => {
      const key = Object.keys(value).find((each) => /^total(Objects|Persons|Venues|Records)$/.test(each));
      const isList = Object.keys(value).some((each) => /^opac\w+s$|^facetsCollection$/.test(each));
      return key !== undefined && (isList || Object.keys(value).length === 1)
        ? { ...value, [key]: Number(value[key]) + 7 }
        : value;
    },
  },
  'ids-mixed': {
    misstate: (value) => {
      const key = Object.keys(value).find((each) => /^opac(Objects|Persons|Venues|Records)$/.test(each));
      if (key === undefined) return value;
      const change = (record: JsonRecord) =>
        Object.entries(record).map(([name, id]) => [name, /^opac\w+Id$/.test(name) ? Number(id) : id]);
      const records = readObjects(value[key]).map((record, index) =>
        index % 2 ? Object.fromEntries(change(record)) : record,
      );
      return { ...value, [key]: records };
    },
  },
  'single-differs': { on: 'objects.get', misstate: changeFieldSets((sets) => sets.slice(1)) },
  'record-type-missing': {
    on: 'records.search',
    // A complete record has field sets. A record without its fields has two keys: its id and `recordType`.
    misstate: (value) =>
      findFieldSetsKey(value) || Object.keys(value).length === 2 ? dropKey('recordType')(value) : value,
  },
  'field-added': {
    misstate: changeFieldSets((sets, fields) => [
      ...sets,
      { identifier: 'donor_phone', [fields]: [{ value: '04 499 1234' }] },
    ]),
  },
  'field-dropped': {
    misstate: changeFieldSets((sets) => sets.filter(({ identifier }) => identifier !== 'name')),
  },
  'roles-collection': {
    misstate: (value) => (findFieldSetsKey(value) ? { ...value, rolesCollection: { roles: [] } } : value),
  },

  'and-as-or': { misread: rewriteQuery((query) => query.replaceAll(' AND ', ' OR ')) },
  'quotes-ignored': {
    misread: rewriteQuery((query) =>
      query.replace(/(\b\w+:)"([^"\\]*)"/g, (term, field: string, phrase: string) => {
        const words = phrase.match(/[\p{L}\p{N}]+/gu) ?? [];
        return words.length > 1 ? `${field}(${words.map((word) => `"${word}"`).join(', ')})` : term;
      }),
    ),
  },
  'query-ignored': { misread: dropParameters('query', 'facet') },
  'external-ids-ignored': { misread: dropTerms('external_object_id') },
  'collections-ignored': { misread: dropTerms('collections') },
  'highlight-ignored': { misread: dropTerms('highlight') },
  'images-filter-ignored': { misread: dropParameters('hasImages') },
  'facet-filter-ignored': { misread: dropParameters('facet') },
  'view-ignored': {
    misread: ({ query }) => {
      if (query.has('view')) query.set('view', 'detail');
    },
  },
  'sort-ignored': { misread: dropParameters('sort', 'direction') },
  'direction-ignored': { misread: dropParameters('direction') },
  'deleted-shown': {
    misread: async (request) => {
      if (request.query.get('deletedRecords') !== 'false') return;
      // The fault treats the first two records as deleted. Only searches with `deletedRecords=false` exclude them.
      const deleted = (await request.listFirstIds(2)).map((id) => `"${id}"`);
      if (deleted.length === 0) return;
      rewriteQuery(
        (query) => `${query === '' ? '' : `(${query}) AND `}NOT external_object_id:(${deleted.join(', ')})`,
      )(request);
    },
  },

  'facet-counts-wrong': {
    misstate: changeKey('facetLabelValues', (values) =>
      readObjects(values).map((each) => ({ ...each, value: Number(each.value) + 1 })),
    ),
  },
  'facet-type-missing': {
    misstate: (value) => (Object.hasOwn(value, 'facetLabelValues') ? dropKey('facetType')(value) : value),
  },
  'relationship-to-nowhere': { misstate: changeKey('relatedRecordId', () => '999999999') },
  'one-way-relationships': {
    on: 'persons',
    misstate: changeKey('relationshipsCollection', (value) => {
      const { relationships } = value as JsonRecord;
      const kept = readObjects(relationships).filter(
        ({ relatedRecordType }) => relatedRecordType !== 'object',
      );
      return { relationships: kept, totalRelationships: kept.length };
    }),
  },
  'wrong-size': { misstate: changeKey('width', (width) => String(Number(width) * 2)) },
  'colors-malformed': { misstate: changeKey('hex', () => 'rgb(1,2,3)') },
  'labels-malformed': { misstate: changeKey('score', (score) => Number(score) + 200) },
  'one-derivative': {
    on: 'highlights',
    misstate: changeKey('imageDerivatives', (derivatives) => readObjects(derivatives).slice(0, 1)),
  },
  'derivative-obeyed': {
    on: 'highlights',
    misstate: (value, query) => {
      const wanted = query.get('derivative');
      if (wanted === null || !Object.hasOwn(value, 'imageDerivatives')) return value;
      const kept = readObjects(value.imageDerivatives).filter(({ identifier }) => identifier === wanted);
      return { ...value, imageDerivatives: kept };
    },
  },
  'comments-without-type': { on: 'comments', misstate: dropKey('recordType') },
  'retired-alive': {
    on: 'retired',
    replace: () => jsonResponse({ roles: [{ roleId: '1', role: 'Maker' }], totalRoles: 1 }),
  },

  'deprecated-refused': { refusesDeprecated: true },
  /** The redirect contains another state than the request, as in a forged response. */
  'state-changed': {
    on: 'oauth.authorize',
    replace: ({ status, headers, body }) => ({
      status,
      headers: { ...headers, ...(headers.location && { location: changeState(headers.location) }) },
      body: Buffer.from(changeState(body.toString())),
    }),
  },

  'no-credentials-accepted': {
    misread: (request) => {
      request.authorization ??= request.goodAuthorization;
    },
  },
  'any-token-accepted': {
    misread: (request) => {
      if (request.authorization !== undefined) request.authorization = request.goodAuthorization;
    },
  },
  'refused-with-403': {
    replace: (response) => (response.status === 401 ? { ...response, status: 403 } : response),
  },
} as const satisfies FaultTable;
