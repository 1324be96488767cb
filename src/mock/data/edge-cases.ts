/** Fields of some objects, by number, with values that are hard to export (FIELD-NOTES.md "Answers"). */
import type { Field } from '../../local/record.js';

const values = (...texts: readonly string[]): Field[] => texts.map((text) => ({ value: text }));

export const EDGE_CASES: Readonly<Record<number, Readonly<Record<string, readonly Field[]>>>> = {
  1: { accession_no: values('00345') },
  2: { accession_no: values('08-27'), inscription: values('=see also 1950.12') },
  3: { accession_no: values('20191231000000000017'), inscription: values('+ maker’s mark') },
  4: { accession_no: values('1E5'), name: values('The "Moa" jar: C:\\Museum\\jar (a copy)') },
  5: { other_id: values('137/1884', 'F.I. 3078.0', 'EQRC10469'), user_sym_70: values('\tTabbed') },
  6: { credit_line: values('@ the wharf, 1907') },
  7: { brief_desc: values('<p>Given by <a href="/x?a=1&amp;b=2">A | B</a></p>') },
  8: { measurements: values('', 'plate: 20 x 30mm', ''), production_role: values('Unknown') },
  9: { name: values('Kite 🪁 with tail 👩‍🎨') },
  10: { accession_no: values('0012.7', '0012.7a'), name: values('Diary AND ledger OR "both"') },
  11: { brief_desc: values('-12 °C on the dial\nand a second line,\r\nand a third') },
  12: { name: values('Glass Model Invertebrate:  Physalia pelagica') },
  13: { name: values('Kākā, tūī & kererū: māra\u0304'), researcher_notes: values('"a,b";c\t"d"') },
};
