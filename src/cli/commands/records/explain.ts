/** `count --explain`: what each term of a search leaves out, and which records it leaves out for want of a value. */
import { UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import type { Search } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/search.js';
import { type ItemsResult, onePage } from '../../command/result.js';
import { shellWord } from '../../command/shell-words.js';
import type { Context } from '../../context.js';
import { itemSchema } from '../../output/item-schemas.js';
import { count } from '../../output/terminal/numbers.js';
import { deploymentWords } from '../search/next-command.js';
import { countMatches } from '../search/pages.js';

interface Term {
  /** As it is written on a command line. */
  readonly words: readonly string[];
  /** The search without it. */
  readonly without: RecordSearch;
  /** The field whose values it compares. */
  readonly field?: string;
  /** Whether it is a word of the text, not an option. */
  readonly isText?: boolean;
}

/** A row for each term: the total with it and without it, and how many of the latter have no value in its field. */
export async function explainCount(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  total: number,
): Promise<ItemsResult> {
  const terms = termsOf(search);
  if (terms.length === 0)
    throw new UsageError(
      'there is nothing to explain: every record is counted',
      'add words, --where or --query',
    );
  const rows = terms.map(async (term): Promise<Json> => {
    const { words, without, field } = term;
    const others = terms.filter((other) => other !== term);
    const [all, empty] = await Promise.all([
      countMatches(context, kind, without),
      field === undefined ? null : countMatches(context, kind, withoutValue(without, field)),
    ]);
    const list = [
      'opac',
      kind,
      'list',
      ...deploymentWords(context),
      ...searchWords(others, search, `${field}=`),
    ];
    const command = list.map(shellWord).join(' ');
    if (empty) context.note(`${count(empty)} without a value in ${field}; list them with: ${command}`);
    return {
      term: words.map(shellWord).join(' '),
      with: total,
      without: all,
      empty,
      list: field === undefined ? null : command,
    };
  });
  return {
    kind: 'items',
    pages: onePage(await Promise.all(rows)),
    schema: itemSchema('explanation'),
    emptyMessage: '',
  };
}

/** The words of a search for these terms and `where`. Those of the text come last: they may look like options. */
function searchWords(terms: readonly Term[], { terms: { exact } }: RecordSearch, where: string): string[] {
  const options = terms.filter(({ isText }) => !isText).flatMap(({ words }) => words);
  const text = terms.filter(({ isText }) => isText).flatMap(({ words }) => words);
  const isLikeOption = text.some((word) => word.startsWith('-'));
  return [
    ...options,
    ...(exact ? ['--exact'] : []),
    '--where',
    where,
    ...(isLikeOption ? ['--'] : []),
    ...text,
  ];
}

/** A value as it has to be typed: `@` before a name means a file. */
function typed(value: string): string {
  return value.replace(/^@/, '@@');
}

function termsOf(search: RecordSearch): Term[] {
  const { terms, facets = [], hasImages } = search;
  const { text = [], where = [], columns = [], raw, oneOf, collection, highlight, externalIds = [] } = terms;
  const changed = (change: Partial<Search>) => ({ ...search, terms: { ...terms, ...change } });
  const given = (is: boolean, words: () => readonly string[], without: RecordSearch): Term[] =>
    is ? [{ words: words(), without }] : [];
  return [
    ...given(!!raw?.trim(), () => ['--query', raw ?? ''], changed({ raw: undefined })),
    ...text.map((word, place) => ({
      words: [typed(word)],
      isText: true,
      without: changed({ text: text.toSpliced(place, 1) }),
    })),
    ...where.map((one) => ({
      words: ['--where', `${one.field}=${typed(one.value)}`],
      without: changed({ where: where.filter((each) => each !== one) }),
      ...(one.value !== '' && { field: one.field }),
    })),
    ...columns.map((one) => ({
      words: ['--where', `${one.field}=${typed(one.value)}`],
      without: changed({ columns: columns.filter((each) => each !== one) }),
    })),
    ...(oneOf
      ? [
          {
            words: ['--where', `${oneOf.field}=@<file>`],
            without: changed({ oneOf: undefined }),
            field: oneOf.field,
          },
        ]
      : []),
    ...given(
      collection !== undefined,
      () => ['--collection', collection ?? ''],
      changed({ collection: undefined }),
    ),
    ...given(
      highlight !== undefined,
      () => ['--highlight', highlight ?? ''],
      changed({ highlight: undefined }),
    ),
    ...given(
      externalIds.length > 0,
      () => ['--external-id', listed(externalIds)],
      changed({ externalIds: undefined }),
    ),
    ...facets.map((one) => ({
      words: ['--facet', `${one.field}=${typed(one.value)}`],
      without: { ...search, facets: facets.filter((each) => each !== one) },
    })),
    ...given(hasImages === true, () => ['--has-images'], { ...search, hasImages: undefined }),
  ];
}

const FEW = 10;

function listed(ids: readonly string[]): string {
  return ids.length > FEW ? '@<file>' : ids.join(',');
}

function withoutValue(search: RecordSearch, field: string): RecordSearch {
  const { where = [] } = search.terms;
  return { ...search, terms: { ...search.terms, where: [...where, { field, value: '' }] } };
}
