/** Images: the derivatives load with the stated size, colours and labels are well formed. */
import { isOfSize } from '../../images/inspect-image.js';
import { asList, asObject } from '../../service/json.js';
import { RECORD_KINDS } from '../../service/kinds.js';
import { type Derivative, type Image, readColor, readImageLabel } from '../../service/records/record.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation, type RecordedExchange } from '../probe/deviation.js';
import { type ListReply, type LoadedImage, type Probe, RequestFailed } from '../probe/probe.js';
import { ifAny, requestFirstPage, takeFirst } from '../samples/samples.js';

/** Eight names of derivatives were seen. */
const MAX_DERIVATIVES = 10;

const DERIVATIVES = 'FIELD-NOTES.md "Answers": imageDerivatives { identifier, url, width, height }';

export const IMAGE_CHECKS: readonly Check[] = [
  {
    id: 'images.load',
    promise: 'the derivatives of an image load, as pictures',
    source: DERIVATIVES,
    async *run(probe) {
      for await (const { derivative, picture } of derivatives(probe)) {
        const expected = `${derivative.identifier} loads as a picture`;
        if (picture instanceof RequestFailed) {
          // The deployment may be gone, which is then reported once.
          if (isSilence(picture)) throw picture;
          yield deviation(expected, picture.message, picture.exchange);
          continue;
        }
        const { headers, mediaType, exchange } = picture;
        const type = headers['content-type'] ?? '';
        // A download goes by the bytes, but a browser may go by the type.
        if (!/^image\//.test(type))
          yield deviation(expected, `${mediaType} with the type "${type}"`, exchange, 'warn');
      }
    },
  },
  {
    id: 'images.size',
    promise: 'derivatives have the stated width and height',
    source: DERIVATIVES,
    async *run(probe) {
      let tried = 0;
      for await (const { derivative, picture } of derivatives(probe)) {
        const { identifier, width, height } = derivative;
        if (picture instanceof RequestFailed || width === undefined || height === undefined) continue;
        tried++;
        const expected = `${identifier} has ${width} x ${height} pixels, as stated`;
        if (!isOfSize(picture, derivative))
          yield deviation(expected, `${picture.width} x ${picture.height}`, picture.exchange);
      }
      if (tried === 0) throw new CheckNotApplicable('no image with a stated size loaded');
    },
  },
  {
    id: 'images.colors',
    promise: 'colours of images and of the palette are well formed',
    source: 'INTERFACE.md "Fields stated": cssColors, rawColors; FIELD-NOTES.md "Answers": colours',
    deviation: 'warn',
    async *run(probe) {
      const ofImage = ({ cssColors, rawColors }: Image) => [...cssColors, ...rawColors];
      const all = await fromListAndImages(probe, await probe.requestList('colors.list'), readColor, ofImage);
      takeFirst(all, 'there are no colours');
      for (const { part, at } of all) {
        const { hex, name, presence } = part;
        if (/^[0-9a-f]{6}$/.test(hex) && isPercent(presence)) continue;
        const share = presence === undefined ? '' : ` and presence ${presence}`;
        const expected = 'six hexadecimal digits, and a presence from 0 to 100';
        yield deviation(expected, `${name || 'a raw colour'} with hex "${hex}"${share}`, at);
        return;
      }
    },
  },
  {
    id: 'images.labels',
    promise: 'image labels have a text, and a score from 0 to 100',
    source: 'INTERFACE.md "Image labels"; FIELD-NOTES.md "Answers": labels',
    deviation: 'warn',
    async *run(probe) {
      const listed = await probe.requestList('records.imagelabels');
      const all = await fromListAndImages(probe, listed, readImageLabel, ({ labels }) => labels);
      takeFirst(all, 'there are no image labels');
      for (const { part, at } of all) {
        const { id, label, score } = part;
        if (id !== '' && label !== '' && isPercent(score)) continue;
        const received = `id "${id}", text "${label}", score ${score ?? 'none'}`;
        yield deviation('an id, a text and a score from 0 to 100', received, at);
        return;
      }
    },
  },
  {
    id: 'highlights.derivatives',
    promise: 'highlights give all image derivatives',
    source: 'INTERFACE.md "Highlights": derivative removed, all image derivatives are returned',
    async *run(probe) {
      const { items, exchange } = await probe.requestList('highlights.list');
      const [first] = (await images(probe)).images;
      const usual = first?.derivatives.map(({ identifier }) => identifier) ?? [];
      const shown = items.flatMap((item) =>
        asList(asObject(asObject(item).imagesCollection).images).map(asObject),
      );
      takeFirst(shown, 'no highlight has an image');
      for (const image of shown) {
        const own = asList(image.imageDerivatives).map((each) => String(asObject(each).identifier));
        const lacking = usual.filter((each) => !own.includes(each));
        if (lacking.length === 0) continue;
        const received = `${own.join(', ') || 'none'}; ${lacking.join(', ')} missing`;
        yield deviation(`${usual.join(', ')} of each image`, received, exchange);
        return;
      }
    },
  },
];

/** The images of the first records of every kind. */
async function images(probe: Probe) {
  const found: Image[] = [];
  let at: RecordedExchange | undefined;
  for (const kind of RECORD_KINDS) {
    const page = await requestFirstPage(probe, kind);
    const own = page.records.flatMap((each) => each.images);
    if (own.length > 0) at ??= page.exchange;
    found.push(...own);
  }
  takeFirst(found, 'no record on the first pages has an image');
  return { images: found, at };
}

/** The parts of one sort that a list endpoint gives, and those of the images. */
async function fromListAndImages<Part>(
  probe: Probe,
  listed: ListReply,
  read: (item: ListReply['items'][number]) => Part,
  ofImage: (image: Image) => readonly Part[],
) {
  const found = await ifAny(images(probe));
  const all = [
    ...listed.items.map((item) => ({ part: read(item), at: listed.exchange })),
    ...(found?.images ?? []).flatMap(ofImage).map((part) => ({ part, at: found?.at })),
  ];
  return all;
}

function isPercent(number: number | undefined): boolean {
  return number === undefined || (number >= 0 && number <= 100);
}

interface Loaded {
  readonly derivative: Derivative;
  readonly picture: LoadedImage | RequestFailed;
}

/** The derivatives of one image, as they load or fail to, up to the first without a response. */
async function* derivatives(probe: Probe): AsyncGenerator<Loaded> {
  const all = (await images(probe)).images.map((each) => each.derivatives.filter(({ url }) => url !== ''));
  const stated = all.find(({ length }) => length > 0);
  if (!stated) throw new CheckNotApplicable('no image states a derivative');
  for (const derivative of stated.slice(0, MAX_DERIVATIVES)) {
    const picture = await probe.requestImage(derivative.url).catch((error) => {
      if (error instanceof RequestFailed) return error;
      throw error;
    });
    yield { derivative, picture };
    if (isSilence(picture)) return;
  }
}

/** An address that is refused has no response either, but no cause. */
function isSilence(picture: LoadedImage | RequestFailed): boolean {
  return picture instanceof RequestFailed && picture.isSilence && picture.error.cause !== undefined;
}
