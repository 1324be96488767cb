/** Images: the derivatives load with the stated size, colours and labels are well formed. */
import { isOfSize } from '../../images/check-image.js';
import { asList, asObject } from '../../service/json.js';
import { RECORD_KINDS } from '../../service/kinds.js';
import {
  type Color,
  type Derivative,
  type Image,
  readColor,
  readImageLabel,
} from '../../service/records/record.js';
import type { Check } from '../check.js';
import { firstOf, firstPage } from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import type { Exchange } from '../probe/exchange.js';
import { type Picture, type Probe, Unanswered } from '../probe/probe.js';

/** Eight names of derivatives were seen. */
const MOST_DERIVATIVES = 10;

const DERIVATIVES = 'FIELD-NOTES.md "Answers": imageDerivatives { identifier, url, width, height }';

export const IMAGES: readonly Check[] = [
  {
    id: 'images.load',
    promise: 'the derivatives of an image load, as pictures',
    source: DERIVATIVES,
    run: load,
  },
  {
    id: 'images.size',
    promise: 'derivatives have the stated width and height',
    source: DERIVATIVES,
    run: size,
  },
  {
    id: 'images.colors',
    promise: 'colours of images and of the palette are well formed',
    source: 'INTERFACE.md "Fields stated": cssColors, rawColors; FIELD-NOTES.md "Answers": colours',
    deviation: 'warn',
    run: colors,
  },
  {
    id: 'images.labels',
    promise: 'image labels have a text, and a score from 0 to 100',
    source: 'INTERFACE.md "Image labels"; FIELD-NOTES.md "Answers": labels',
    deviation: 'warn',
    run: labels,
  },
  {
    id: 'highlights.derivatives',
    promise: 'highlights give all image derivatives',
    source: 'INTERFACE.md "Highlights": derivative removed, all image derivatives are returned',
    run: highlightDerivatives,
  },
];

/** The images of the first records of every kind. */
async function images(
  probe: Probe,
): Promise<{ readonly images: readonly Image[]; readonly at: Exchange | undefined }> {
  const found: Image[] = [];
  let at: Exchange | undefined;
  for (const kind of RECORD_KINDS) {
    const { records, at: asked } = await firstPage(probe, kind);
    const own = records.flatMap((each) => each.images);
    if (own.length > 0) at ??= asked;
    found.push(...own);
  }
  firstOf(found, 'no record on the first pages has an image');
  return { images: found, at };
}

interface Loaded {
  readonly derivative: Derivative;
  readonly picture: Picture | Unanswered;
}

/** The derivatives of one image, as they load or fail to, up to the first without a response. */
async function* derivatives(probe: Probe): AsyncGenerator<Loaded> {
  const [image] = (await images(probe)).images.filter((each) =>
    each.derivatives.some(({ url }) => url !== ''),
  );
  if (!image) throw new NothingToTry('no image states a derivative');
  const stated = image.derivatives.filter(({ url }) => url !== '').slice(0, MOST_DERIVATIVES);
  for (const derivative of stated) {
    const picture = await probe.image(derivative.url).catch(unanswered);
    yield { derivative, picture };
    if (isSilence(picture)) return;
  }
}

/** An address that is refused has no response either, but no cause. */
function isSilence(picture: Picture | Unanswered): boolean {
  return picture instanceof Unanswered && picture.isSilence && picture.error.cause !== undefined;
}

/** One image that does not load does not stop the others. */
function unanswered(error: unknown): Unanswered {
  if (error instanceof Unanswered) return error;
  throw error;
}

async function* load(probe: Probe): AsyncGenerator<Deviation> {
  for await (const { derivative, picture } of derivatives(probe)) {
    const expected = `${derivative.identifier} loads as a picture`;
    if (picture instanceof Unanswered) {
      // The deployment may be gone, which is then reported once.
      if (isSilence(picture)) throw picture;
      yield { expected, received: picture.message, at: picture.at };
      continue;
    }
    const { headers, mediaType, at } = picture;
    const type = headers['content-type'] ?? '';
    // A download goes by the bytes, but a browser may go by the type.
    if (!/^image\//.test(type))
      yield { expected, received: `${mediaType} with the type "${type}"`, at, verdict: 'warn' };
  }
}

async function* size(probe: Probe): AsyncGenerator<Deviation> {
  let tried = 0;
  for await (const { derivative, picture } of derivatives(probe)) {
    if (picture instanceof Unanswered) continue;
    const { at } = picture;
    const { identifier, width, height } = derivative;
    if (width === undefined || height === undefined) continue;
    tried++;
    if (!isOfSize(picture, derivative))
      yield {
        expected: `${identifier} has ${width} x ${height} pixels, as stated`,
        received: `${picture.width} x ${picture.height}`,
        at,
      };
  }
  if (tried === 0) throw new NothingToTry('no image with a stated size loaded');
}

async function* colors(probe: Probe): AsyncGenerator<Deviation> {
  const palette = await probe.list('colors.list');
  const ofImages = await images(probe).catch(noImages);
  const all: readonly (readonly [Color, Exchange | undefined])[] = [
    ...palette.items.map((item) => [readColor(item), palette.at] as const),
    ...ofImages.images
      .flatMap(({ cssColors, rawColors }) => [...cssColors, ...rawColors])
      .map((color) => [color, ofImages.at] as const),
  ];
  firstOf(all, 'there are no colours');
  for (const [{ hex, presence, name }, at] of all) {
    const received = `${name || 'a raw colour'} with hex "${hex}"${presence === undefined ? '' : ` and presence ${presence}`}`;
    if (/^[0-9a-f]{6}$/.test(hex) && (presence === undefined || (presence >= 0 && presence <= 100))) continue;
    yield { expected: 'six hexadecimal digits, and a presence from 0 to 100', received, at };
    return;
  }
}

function noImages(error: unknown): Awaited<ReturnType<typeof images>> {
  if (error instanceof NothingToTry) return { images: [], at: undefined };
  throw error;
}

async function* labels(probe: Probe): AsyncGenerator<Deviation> {
  const listed = await probe.list('records.imagelabels');
  const ofImages = await images(probe).catch(noImages);
  const all = [
    ...listed.items.map((item) => [readImageLabel(item), listed.at] as const),
    ...ofImages.images.flatMap((image) => image.labels).map((label) => [label, ofImages.at] as const),
  ];
  firstOf(all, 'there are no image labels');
  const wrong = all.find(
    ([{ id, label, score }]) =>
      id === '' || label === '' || (score !== undefined && (score < 0 || score > 100)),
  );
  if (wrong) {
    const [{ id, label, score }, at] = wrong;
    yield {
      expected: 'an id, a text and a score from 0 to 100',
      received: `id "${id}", text "${label}", score ${score ?? 'none'}`,
      at,
    };
  }
}

async function* highlightDerivatives(probe: Probe): AsyncGenerator<Deviation> {
  const { items, at } = await probe.list('highlights.list');
  const ofRecords = await images(probe);
  const usual = new Set(ofRecords.images[0]?.derivatives.map(({ identifier }) => identifier));
  const shown = items.flatMap((item) =>
    asList(asObject(asObject(item).imagesCollection).images).map(asObject),
  );
  firstOf(shown, 'no highlight has an image');
  for (const image of shown) {
    const own = new Set(asList(image.imageDerivatives).map((each) => String(asObject(each).identifier)));
    const lacking = [...usual].filter((each) => !own.has(each));
    if (lacking.length === 0) continue;
    yield {
      expected: `${[...usual].join(', ')} of each image`,
      received: `${[...own].join(', ') || 'none'}; ${lacking.join(', ')} missing`,
      at,
    };
    return;
  }
}
