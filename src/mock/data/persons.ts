/** The persons: makers of the objects, some with a portrait. built-in.ts adds the relationships. */
import { seededRandom } from '../random.js';
import { dated, searchable, type UnlinkedDraft, value } from './record-json.js';
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
        name_first_last: value(name),
        name: value(`${surname}, ${forename}`),
        life_dates: [dated(`${born}–${died}`, born, died)],
        birth_place: searchable('birth_place', birthPlace),
        death_place: searchable('death_place', deathPlace),
        occupation: searchable('occupation', occupation),
        ...(gender && { gender: searchable('gender', gender) }),
        biography: boolean(0.4)
          ? value(`${name} worked as <i>${occupation.toLowerCase()}</i>.\n\nLived in ${birthPlace}.`)
          : value(''),
        movement: [],
      },
      images:
        index % 3 === 0 ? [{ recordId: id, imageId: 810_001 + index, caption: name, labels: LABELS }] : [],
    };
  });
}
