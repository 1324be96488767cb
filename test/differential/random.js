/** Random choices. The same seed gives the same choices. */

/** Texts that often cause bugs in readers and writers of tables, JSON and queries. */
const NASTY = [
  'a|b',
  'a\\',
  'a\\|b',
  '\\',
  'say "hello"',
  'comma, comma',
  'line\nbreak',
  'tab\there',
  ' spaces  around ',
  '=1+1',
  '-5',
  '@home',
  "'quoted",
  'pūtōrino',
  'e\u0301 and é',
  '🏺 jar',
  '<p>bold &amp; <b>brave</b></p>',
  'Europe/Germany/Dresden',
  '00123',
  '1e5',
  'NULL',
  'true',
  '{"a":1}',
  '[1,2]',
  'x\u2028y',
];

const WORDS =
  'jar fern wax model moa cloak flute glass print drawing bird leaf stone shell bone iron silver box'.split(
    ' ',
  );

/** Random letters. They are created only once, because this is slow, and are the same in each process. */
let pool;

function randomLetters(length) {
  const { integer } = createRandom(1, 'pool');
  return Array.from({ length }, () => String.fromCharCode(integer(48, 122))).join('');
}

/** Creates a generator of random numbers (mulberry32). With the same seed, different labels give different numbers. */
export function createRandom(seed, label = '') {
  let state = seed | 0;
  for (const character of label) state = Math.imul(state ^ character.codePointAt(0), 0x9e3779b1) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random = {
    /** Returns a number from 0 to less than 1. */
    next,
    /** Both limits are possible results. */
    integer: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)],
    shuffle(list) {
      const shuffled = [...list];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = random.integer(0, i);
        [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
      }
      return shuffled;
    },
    /** Returns `count` different items, in the order of the list. */
    some(list, count) {
      const chosen = new Set(random.shuffle(list).slice(0, count));
      return list.filter((each) => chosen.has(each));
    },
    /** Returns a short text. About one in five is from NASTY. */
    text: () => (random.chance(0.2) ? random.pick(NASTY) : random.words(random.integer(1, 4))),
    words: (count) => Array.from({ length: count }, () => random.pick(WORDS)).join(' '),
    /** Returns text that is hard to compress. */
    noise(length) {
      pool ??= randomLetters(1 << 20);
      const at = random.integer(0, pool.length - Math.ceil(length));
      return pool.slice(at, at + length);
    },
    /** Creates a separate generator. Further choices with it do not affect the choices of this generator. */
    fork: (name) => createRandom(random.integer(0, 2 ** 31), name),
  };
  return random;
}
