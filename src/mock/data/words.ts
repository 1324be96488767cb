/** The word lists of the built-in records. */

type Lists = Record<'nouns' | 'occupations' | 'medium' | 'subjects' | 'labels' | 'parts', readonly string[]>;

export interface ObjectType extends Readonly<Lists> {
  readonly classification: string;
  readonly collection: string | undefined;
  readonly role: string;
}

export const COLLECTIONS = [
  { name: 'Natural History', description: 'Models, specimens and drawings of plants and animals.' },
  { name: 'Taonga Māori', description: 'Treasures of the iwi of the region, held in trust.' },
  { name: 'Decorative Arts', description: 'Ceramics, glass, furniture & dress.' },
  { name: 'Pictures', description: 'Paintings, prints and photographs.' },
  { name: 'Human History', description: 'Tools, toys and documents of everyday life.' },
] as const;

/**
 * Each type has three lines: 1. classification, collection, role, occupations; 2. nouns, media; 3. subjects, image labels,
 * measured parts.
 */
const TYPES = `
Natural history/Models/Invertebrates | Natural History | Model maker/Maker | Glass artist
glass model; wax model; plaster model | Glass, wire; Wax on wood; Plaster, paint
jellyfish; octopus; sea slug; sea anemone | Jellyfish; Invertebrate; Animal; Sea Life; Glass | whole; base

Natural history/Drawings | Natural History | Artist | Botanical artist
study of a kākā; study of a tūī; study of a fern; study of a kōwhai branch | Watercolour on paper; Pencil on paper
birds; botany; forest | Bird; Plant; Leaf; Drawing; Feather | sheet; image

Taonga/Textiles/Raranga | Taonga Māori | Weaver/Maker | Weaver
kākahu (cloak); korowai (tasselled cloak); kete (basket); whāriki (mat) | Harakeke, feathers; Muka, paru dye; Kiekie
weaving; clothing; ceremony | Clothing; Textile; Weaving; Basket; Feather | whole; border

Taonga/Carving | Taonga Māori | Carver/Maker | Carver
waka huia (treasure box); hei tiki; toki (adze); pūtōrino (flute) | Tōtara, pāua; Pounamu; Wood
carving; music; ancestors | Wood; Carving; Jewelry; Green; Sculpture | whole; lid

Ceramics/Vessels | Decorative Arts | Potter/Maker | Potter; Pottery
vase; teapot; bowl; plate | Stoneware; Porcelain, gilt; Earthenware
flowers; tea drinking; landscape | Pottery; Vase; Porcelain; Tableware; Jar | whole; lid; foot

Dress/Costume | Decorative Arts | Dressmaker/Maker | Dressmaker
evening dress; waistcoat; shawl; bonnet | Silk; Wool; Cotton, lace
fashion; clothing | Dress; Clothing; Fashion; Silk; Lace | whole; sleeve

Art/Paintings | Pictures | Artist | Painter
view of the harbour; portrait of a woman; still life with pears; alpine landscape | Oil on canvas; Oil on board
landscape; portraits; harbours; fruit | Painting; Landscape; Portrait; Sky; Water | image; frame

Photographs | Pictures | Photographer | Photographer
photograph of the wharf; carte de visite; glass plate negative; postcard | Albumen silver print; Gelatin dry plate
harbours; portraits; streets; ships | Photography; Person; Ship; Street; Monochrome | image; mount

on paper, print | Pictures | Printmaker/Artist | Printmaker
etching of a mill; woodcut of a heron; poster | Etching on paper; Woodcut on paper
birds; buildings; advertising | Print; Bird; Poster; Building; Text | sheet; plate

Toys & games | Human History | Maker | Toy maker
rocking horse; doll; tin train; kite | Wood, horsehair; Bisque, cotton; Tinplate
childhood; play; trains | Toy; Doll; Horse; Train; Wood | whole

Documents/Manuscripts | Human History | Author | Author; Diarist; Surveyor; Geologist; Shipping agents
diary; letter; ledger; map of the province | Ink on paper; Pencil on paper
travel; trade; surveying; family | Text; Handwriting; Book; Map; Paper | sheet; cover

Tools/Instruments |  | Manufacturer/Maker | Manufacturer; Instrument maker
barometer; plane; ship’s compass; sewing machine | Brass, glass; Steel, beech; Iron
measuring; navigation; trades | Tool; Machine; Metal; Compass; Clock | whole; case
`;

export const OBJECT_TYPES: readonly ObjectType[] = TYPES.trim()
  .split('\n\n')
  .map((lines) => {
    const [classification = '', collection, role = '', ...lists] = lines.split(/ \| |\n/);
    const [occupations = [], nouns = [], medium = [], subjects = [], labels = [], parts = []] = lists.map(
      (list) => list.split('; '),
    );
    const words = { occupations, nouns, medium, subjects, labels, parts };
    return { classification, collection: collection || undefined, role, ...words };
  });

export const ADJECTIVES = 'Small Large Painted Plain Early Gilded Unfinished Blue'.split(' ');

export const GIVERS = [
  'the Wood family',
  'Mrs E. J. Studholme',
  'Ngāi Tūāhuriri',
  'the harbour board',
] as const;

export const PLACES = [
  'Dresden/Germany/Western Europe/Europe',
  'Ōtautahi (Christchurch)/Canterbury/Aotearoa New Zealand',
  'Lyttelton/Canterbury/Aotearoa New Zealand',
  'Tāmaki Makaurau (Auckland)/Aotearoa New Zealand',
  'London/England/United Kingdom/Europe',
  'Kyōto/Japan/Asia',
  'Łódź/Poland/Europe',
  'Apia/Samoa/Pacific Islands',
] as const;

/** Forename, surname, year of birth, gender, occupation. */
export const PERSONS = [
  'Leopold|Blaschka|1822|Male|Glass artist',
  'Rudolf|Blaschka|1857|Male|Glass artist',
  'Mākereti|Papakura|1873|Female|Weaver',
  'Hēnare|Tāmihana|1841|Male|Carver',
  'Rangi|Hetet|1872|Female|Weaver',
  'Ngāio|Marsden|1895|Female|Painter',
  'Margaret|Stoddart|1865|Female|Painter',
  'Petrus|Lindauer|1839|Male|Painter',
  'Alfred|Burton|1834|Male|Photographer',
  'Elizabeth|Pulman|1836|Female|Photographer',
  'Józef|Wójcik|1880|Male|Printmaker',
  'Zoë|Müller|1901|Female|Potter',
  'Hamada|Shōji|1894|Male|Potter',
  'Frances|Hodgkins|1869|Female|Painter',
  'Thomas|Cane|1830|Male|Photographer',
  'Sarah|Featon|1848|Female|Botanical artist',
  'Georgina|Hetley|1832|Female|Botanical artist',
  'Mere|Harper|1842|Female|Weaver',
  'Patoromu|Tamatea|1830|Male|Carver',
  'William|Allsworth|1811|Male|Painter',
  'Ann|Fereday|1846|Female|Dressmaker',
  'Jane|O’Connor|1868|Female|Dressmaker',
  'Robert|Speight|1867|Male|Surveyor',
  'Julius|von Haast|1822|Male|Geologist',
  'Charlotte|Godley|1821|Female|Diarist',
  'Edward|Jollie|1825|Male|Surveyor',
  'Briar|Grace-Smith|1899|Female|Toy maker',
  'Otto|Steiff|1850|Male|Toy maker',
  'Isaac|Singer|1811|Male|Manufacturer',
  'Elliott|Negretti|1818|Male|Instrument maker',
  'Lupe|Faleolo|1904|Female|Weaver',
  'Sione|Tuigamala|1912|Male|Carver',
  'Doris|Lusk|1916|Female|Potter',
  'Olivia|Spencer Bower|1905|Female|Painter',
  'Leo|Bensemann|1912|Male|Printmaker',
  'Rita|Angus|1908|Female|Painter',
  'Eileen|Mayo|1906|Female|Printmaker',
  'Crown|Lynn|1948||Pottery',
  'Kinsey|& Co.|1880||Shipping agents',
  'Agnès|Lefèvre|1877|Female|Dressmaker',
  'John|Gully|1819|Male|Painter',
  'Mary|Dobie|1850|Female|Painter',
  'Samuel|Butler|1835|Male|Author',
] as const;

/** Name, place, year of opening. */
export const VENUES = [
  'Canterbury Hall|Christchurch|1882',
  'Harbour Gallery|Lyttelton|1906',
  'The Tūranga Room|Christchurch|2018',
  'Dunedin Exhibition Building|Dunedin|1889',
  'Crystal Palace|London|1851',
  'Kyōto Municipal Museum|Kyōto|1933',
  'Pump House|Auckland|1977',
  'Mechanics’ Institute|Timaru|1871',
  'Museum Annexe|Christchurch|1958',
] as const;

/** A highlight contains the objects whose classification contains `word`. */
export const HIGHLIGHTS = [
  { title: 'Glass sea creatures', word: 'Models' },
  { title: 'Raranga: weaving', word: 'Raranga' },
  { title: 'A century of photographs', word: 'Photographs' },
  { title: 'Dressed for the ball', word: 'Costume' },
] as const;

export const COMMENTS = [
  'My great-grandmother had one just like this!',
  'The date cannot be right: the wharf was built in 1907.',
  'Kia ora, this was made by my tupuna. Ngā mihi.',
  'Is there a picture of the back?  Thank you',
  'Seen it at the exhibition 😀',
  'Two corrections:\n1. It is silk.\n2. It came from Lyons.',
  '<b>Beautiful</b> & rare',
] as const;
