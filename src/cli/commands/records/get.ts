/** `opac <kind> get`: records by their ids. */
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { KIND_WORDS, type RecordKind } from '../../../service/kinds.js';
import { command } from '../../command/command.js';
import { recordSchema } from '../../output/record-schema.js';
import { publishedFields } from '../search/pages.js';

export const getRecords = (kind: RecordKind, exampleId: string) =>
  command({
    name: 'get',
    summary: `show ${kind} by id`,
    arguments: [
      {
        name: 'id',
        summary: `ids of ${kind}; see: opac ${kind} list`,
        required: true,
        variadic: true,
      },
    ],
    examples: [
      {
        purpose: `show one ${KIND_WORDS[kind].recordType} as a card`,
        command: `opac ${kind} get ${exampleId} --mock -f card`,
      },
      {
        purpose: 'print it as JSON from the service',
        command: `opac ${kind} get ${exampleId} --mock -f json`,
      },
      {
        purpose: 'print some columns on one line',
        command: `opac ${kind} get ${exampleId} --mock --columns id,title,image.url`,
      },
    ],
    endpoints: [`${kind}.get`],
    parse: ({ arguments: ids }) => {
      for (const id of ids) if (/^\.{0,2}$/.test(id.trim())) throw new UsageError(`invalid id "${id}"`);
      return { ids: [...new Set(ids.map((id) => id.trim()))] };
    },
    async run(context, { ids }) {
      const client = await context.client();
      const missing: OpacError[] = [];
      async function* records(): AsyncGenerator<readonly Json[]> {
        for (const id of ids) {
          try {
            const record = await client.get(`${kind}.get`, {
              path: { [KIND_WORDS[kind].idKey]: id },
              signal: context.signal,
            });
            yield [onlyRecord(record, kind)];
          } catch (error) {
            if (!(error instanceof OpacError) || error.kind !== 'not-found') throw error;
            missing.push(error);
          }
        }
      }
      return {
        kind: 'items',
        pages: records(),
        schema: recordSchema(kind),
        byId: true,
        emptyMessage: '',
        fields: () => publishedFields(context, kind),
        failure: () => missingError(missing, ids.length),
      };
    },
  });

/** A deployment may wrap a single record as a list of one. */
function onlyRecord(response: object, kind: RecordKind): Json {
  const list = (response as Record<string, unknown>)[KIND_WORDS[kind].listKey];
  return (Array.isArray(list) && list.length === 1 ? list[0] : response) as Json;
}

function missingError(missing: readonly OpacError[], count: number): OpacError | undefined {
  const [first] = missing;
  if (first === undefined || count === 1) return first;
  const others = missing.length > 1 ? ` (${missing.length} of ${count} were not found)` : '';
  return new OpacError('not-found', `${first.message}${others}`, { hint: first.hint });
}
