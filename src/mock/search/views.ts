/** The views of a kind: which fields a list shows, and what people call them. */
import { KIND_WORDS, type Kind } from '../../service/kinds.js';
import { objects, type RecordList, type StoredRecord, type Wire } from '../data/record-list.js';

export interface View {
  readonly viewName: string;
  readonly label: string;
  readonly fields: readonly { readonly identifier: string; readonly label: string }[];
}

/** What tells a record apart at a glance, for the view `label`; the first of a record's fields when it has none of them. */
const AT_A_GLANCE = [
  'accession_no',
  'name',
  'name_first_last',
  'maker_name',
  'production_date',
  'life_dates',
  'place',
];

/** Fields nobody searches by. */
const NOT_SEARCHED: ReadonlySet<string> = new Set(['user_sym_70', 'movement', 'store_notes']);

const LABELS: Readonly<Record<string, string>> = {
  accession_no: 'Accession number',
  brief_desc: 'Description',
  maker_name: 'Maker',
  production_role: 'Role of the maker',
  production_date: 'Date made',
  production_place: 'Place made',
  medium_desc: 'Materials',
  subject_category: 'Subject',
  name_first_last: 'Full name',
  life_dates: 'Born and died',
};

/** The views of a kind, made of the fields that its records have. */
export function viewsOf(shelf: RecordList): View[] {
  const { identifiers } = shelf;
  const glance = AT_A_GLANCE.filter((identifier) => identifiers.includes(identifier));
  const view = (viewName: string, label: string, fields: readonly string[]): View => ({
    viewName,
    label,
    fields: fields.map((identifier) => ({ identifier, label: LABELS[identifier] ?? spelledOut(identifier) })),
  });
  return [
    view('label', 'Label', glance.length > 0 ? glance : identifiers.slice(0, 5)),
    view('detail', 'Detail', identifiers),
    view(
      'advancedsearch',
      'Advanced search',
      identifiers.filter((identifier) => !NOT_SEARCHED.has(identifier)),
    ),
  ];
}

function spelledOut(identifier: string): string {
  return `${identifier.charAt(0).toUpperCase()}${identifier.slice(1)}`.replaceAll('_', ' ');
}

/** How a record is shown in a list. */
export type Representation =
  | { readonly as: 'stub' }
  | { readonly as: 'whole' }
  | { readonly as: 'view'; readonly view: View };

/** The JSON of a record in a list of `kind`, in UTF-8; in a list of all kinds it carries its `recordType`. */
export function renderRecord(entry: StoredRecord, kind: Kind, showing: Representation): Buffer {
  if (kind !== 'records') return showing.as === 'whole' ? entry.bytes : Buffer.from(shown(entry, showing));
  const type = `"recordType":${JSON.stringify(KIND_WORDS[entry.kind].recordType)}`;
  const text = shown(entry, showing);
  return Buffer.from(/^\{\s*"recordType"/.test(text) ? text : text.replace(/^\{\s*/, `{${type},`));
}

function shown(entry: StoredRecord, showing: Representation): string {
  if (showing.as === 'whole') return entry.text;
  const words = KIND_WORDS[entry.kind];
  const record = JSON.parse(entry.text) as Wire;
  if (showing.as === 'stub') return JSON.stringify({ [words.idKey]: record[words.idKey] });
  const wanted = new Set(showing.view.fields.map(({ identifier }) => identifier));
  const { relationshipsCollection: _, ...rest } = record;
  const fieldSets = objects(record[words.fieldSetsKey]).filter(({ identifier }) =>
    wanted.has(String(identifier)),
  );
  return JSON.stringify({ ...rest, [words.fieldSetsKey]: fieldSets });
}
