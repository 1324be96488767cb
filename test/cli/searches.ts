/** Search options, with the parameters that they send and the objects that they find. */
import type { MuseumRecord } from '../e2e/museum-records.js';

/** `finds` selects the expected objects. `ids` is their order, if it is not that of the museum. */
export const SEARCHES: readonly (readonly [
  option: string,
  parameters: object,
  finds: (one: MuseumRecord) => boolean,
  ids?: readonly string[],
])[] = [
  [
    '--where classification=Art/Paintings',
    { query: 'classification:"Art/Paintings"' },
    (one) => one.values('classification').includes('Art/Paintings'),
  ],
  [
    '--where classification=Art/Paintings --where user_sym_70=Yes',
    { query: 'classification:"Art/Paintings" AND user_sym_70:"Yes"' },
    (one) =>
      one.values('classification').includes('Art/Paintings') && one.values('user_sym_70').includes('Yes'),
  ],
  ['--collection 3', { query: 'collections:"3"' }, (one) => one.collection === '3'],
  [
    '--facet classification=Art/Paintings',
    { facet: 'classification:Art/Paintings' },
    (one) => one.values('classification').includes('Art/Paintings'),
  ],
  [
    '--facet classification=Art/Paintings --facet collections=Pictures',
    { facet: 'classification:Art/Paintings,collections:Pictures' },
    (one) => one.values('classification').includes('Art/Paintings'),
  ],
  ['--has-images', { hasImages: 'true' }, (one) => one.images > 0],
  [
    `--query 'collections:"3" OR collections:"5"'`,
    { query: 'collections:"3" OR collections:"5"' },
    (one) => one.collection === '3' || one.collection === '5',
  ],
  [
    `--query 'collections:"3" OR collections:"5"' --where user_sym_70=Yes`,
    { query: '(collections:"3" OR collections:"5") AND user_sym_70:"Yes"' },
    (one) => (one.collection === '3' || one.collection === '5') && one.values('user_sym_70').includes('Yes'),
  ],
  [
    '--external-id 20022,20011,20022',
    { query: 'external_object_id:("20022", "20011")' },
    (one) => one.id === '20011' || one.id === '20022',
    // In the order of the list.
    ['20022', '20011'],
  ],
  ['--view label', { view: 'label' }, () => true],
];
