/** Creates the persons: makers of objects, some with a portrait. built-in.ts adds the relationships. */
import { seededRandom } from '../random.js';
import { createDateField, createField, createSearchableField, type UnlinkedDraft } from './record-json.js';
import { PERSONS, PLACES } from './words.js';

export interface Person extends UnlinkedDraft {
  readonly name: string;
  readonly occupation: string;
  readonly born: number;
}

const LABELS = ['Portrait', 'Person', 'Face'];

export function makePersons(): Person[] {
  return PERSONS.map((line, index) => {
    const [forename = '', surname = '', born = '', gender = '', occupation = ''] = line.split('|');
    const { below, pick, boolean } = seededRandom(5000 + index);
    const id = String(5003 + 7 * index);
    const name = `${forename} ${surname}`;
    const died = Number(born) + 40 + below(45);
    const [birthPlace, deathPlace] = [pick(PLACES), boolean(0.2) ? '' : pick(PLACES)];
    return {
      kind: 'persons',
      id,
      title: `${surname}, ${forename}`,
      name,
      occupation,
      born: Number(born),
      fields: {
        name_first_last: createField(name),
        name: createField(`${surname}, ${forename}`),
        life_dates: [createDateField(`${born}–${died}`, born, died)],
        birth_place: createSearchableField('birth_place', birthPlace),
        death_place: createSearchableField('death_place', deathPlace),
        occupation: createSearchableField('occupation', occupation),
        ...(gender && { gender: createSearchableField('gender', gender) }),
        biography: boolean(0.4)
          ? createField(`${name} worked as <i>${occupation.toLowerCase()}</i>.\n\nLived in ${birthPlace}.`)
          : createField(''),
        movement: [],
      },
      images:
        index % 3 === 0 ? [{ recordId: id, imageId: 810_001 + index, caption: name, labels: LABELS }] : [],
    };
  });
}
