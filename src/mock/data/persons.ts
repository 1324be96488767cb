/** The persons: makers of the objects, some with a portrait. Relationships are tied when everything is made. */
import { seededRandom } from '../random.js';
import { type RecordDraft, searchable, value } from './record-json.js';
import { PERSONS, PLACES } from './words.js';

export interface Person extends Omit<RecordDraft, 'relationships'> {
  readonly name: string;
  readonly occupation: string;
  readonly born: number;
}

export function makePersons(): Person[] {
  return PERSONS.map((line, index) => {
    const [forename = '', surname = '', born = '', gender = '', occupation = ''] = line.split('|');
    const { below, pick, boolean: is } = seededRandom(5000 + index);
    const id = String(5003 + 7 * index);
    const name = `${forename} ${surname}`;
    const died = Number(born) + 40 + below(45);
    const [birthPlace, deathPlace] = [pick(PLACES), is(0.2) ? '' : pick(PLACES)];
    return {
      kind: 'persons',
      id,
      title: `${surname}, ${forename}`,
      name,
      occupation,
      born: Number(born),
      fields: {
        name_first_last: value(name),
        name: value(`${surname}, ${forename}`),
        life_dates: [
          {
            value: `${born}–${died}`,
            attributes: [
              { key: 'earliest_date', value: `${born}-01-01Z` },
              { key: 'latest_date', value: `${died}-12-31Z` },
            ],
          },
        ],
        birth_place: searchable('birth_place', birthPlace),
        death_place: searchable('death_place', deathPlace),
        occupation: searchable('occupation', occupation),
        ...(gender && { gender: searchable('gender', gender) }),
        biography: is(0.4)
          ? value(`${name} worked as <i>${occupation.toLowerCase()}</i>.\n\nLived in ${birthPlace}.`)
          : value(''),
        movement: [],
      },
      images:
        index % 3 === 0
          ? [
              {
                recordId: id,
                imageId: 810_001 + index,
                caption: name,
                labels: ['Portrait', 'Person', 'Face'],
              },
            ]
          : [],
    };
  });
}
