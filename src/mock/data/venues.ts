/** Creates the venues of exhibitions. built-in.ts adds the relationships. */
import { createField, createSearchableField, type UnlinkedDraft } from './record-json.js';
import { VENUES } from './words.js';

const LABELS = ['Building', 'Architecture', 'Sky'];

export function makeVenues(): UnlinkedDraft[] {
  return VENUES.map((line, index) => {
    const [name = '', place = '', opened = ''] = line.split('|');
    const id = String(301 + 4 * index);
    return {
      kind: 'venues',
      id,
      title: name,
      fields: {
        name: createField(name),
        place: createSearchableField('place', place),
        opened: [{ value: opened, attributes: [{ key: 'earliest_date', value: `${opened}-01-01Z` }] }],
        venue_type: createSearchableField('venue_type', index % 2 === 0 ? 'Museum/Gallery' : 'Hall'),
        description: createField(
          index % 4 === 3 ? '' : `${name} stands in ${place}; it opened in ${opened}.`,
        ),
      },
      images:
        index % 4 === 0 ? [{ recordId: id, imageId: 820_001 + index, caption: name, labels: LABELS }] : [],
    };
  });
}
