/** The views of a kind: the fields that a list shows, with labels. */
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { type JsonRecord, readObjects, type StoredRecord } from '../record.js';

export interface View {
  readonly viewName: string;
  readonly label: string;
  readonly fields: readonly { readonly identifier: string; readonly label: string }[];
}

/** The fields of the view `label`. If the records have none of these fields, the view has their first five fields. */
const LABEL_FIELDS = [
  'accession_no',
  'name',
  'name_first_last',
  'maker_name',
  'production_date',
  'life_dates',
  'place',
];

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

export function listViews(identifiers: readonly string[]): View[] {
  const labelFields = LABEL_FIELDS.filter((identifier) => identifiers.includes(identifier));
  const searched = identifiers.filter((identifier) => !NOT_SEARCHED.has(identifier));
  return [
    view('label', 'Label', labelFields.length > 0 ? labelFields : identifiers.slice(0, 5)),
    view('detail', 'Detail', identifiers),
    view('advancedsearch', 'Advanced search', searched),
  ];
}

export function findView(identifiers: readonly string[], name: string): View | undefined {
  return listViews(identifiers).find(({ viewName }) => viewName === name);
}

function view(viewName: string, label: string, identifiers: readonly string[]): View {
  const fields = identifiers.map((identifier) => ({
    identifier,
    label: LABELS[identifier] ?? createLabel(identifier),
  }));
  return { viewName, label, fields };
}

function createLabel(identifier: string): string {
  return `${identifier.charAt(0).toUpperCase()}${identifier.slice(1)}`.replaceAll('_', ' ');
}

type RecordText = Pick<StoredRecord, 'kind' | 'bytes'>;

export type RecordDetail = 'stub' | 'complete' | View;

/** Returns the JSON of a record for a list. In a list of all kinds, adds `recordType` if the record does not begin with it. */
export function renderRecord(record: RecordText, kind: Kind, detail: RecordDetail): Buffer {
  if (detail === 'complete' && kind !== 'records') return record.bytes;
  const text = renderText(record, detail);
  if (kind !== 'records' || /^\{\s*"recordType"/.test(text)) return Buffer.from(text);
  const type = JSON.stringify(KIND_KEYS[record.kind].recordType);
  return Buffer.from(text.replace(/^\{\s*/, `{"recordType":${type},`));
}

function renderText({ kind, bytes }: RecordText, detail: RecordDetail): string {
  const text = bytes.toString();
  if (detail === 'complete') return text;
  const { idKey, fieldSetsKey } = KIND_KEYS[kind];
  const record = parseJsonLossless(text) as JsonRecord;
  if (detail === 'stub') return JSON.stringify({ [idKey]: record[idKey] });
  const shown = new Set(detail.fields.map(({ identifier }) => identifier));
  const { relationshipsCollection: _, ...rest } = record;
  const fieldSets = readObjects(record[fieldSetsKey]).filter(({ identifier }) =>
    shown.has(String(identifier)),
  );
  return JSON.stringify({ ...rest, [fieldSetsKey]: fieldSets });
}
