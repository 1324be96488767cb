/** Checks the derivatives (image sizes), colours and labels of images. */
import { isServerSilent } from '../../client/fetch-file.js';
import { hasSize } from '../../images/inspect-image.js';
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import { asList, asObject, type Json } from '../../service/json.js';
import { RECORD_KINDS } from '../../service/kinds.js';
import { type Derivative, type Image, readColor, readImageLabel } from '../../service/records/record.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation, type RecordedExchange } from '../probe/deviation.js';
import { type LoadedImage, type Probe, RequestFailed } from '../probe/probe.js';
import { ignoreNotApplicable, requestFirstPage, takeFirst } from '../samples/samples.js';

/** Limits the number of requests. Known deployments have at most eight derivatives of an image. */
const MAX_DERIVATIVES = 10;

const DERIVATIVES = 'opac help field-notes, "Answers": imageDerivatives { identifier, url, width, height }';

export const IMAGE_CHECKS: readonly Check[] = [
  {
    id: 'images.load',
    promise: 'the derivatives of an image load as images',
    source: DERIVATIVES,
    async *run(probe) {
      for await (const { derivative, image } of loadDerivatives(probe)) {
        const expected = `${derivative.identifier} loads as an image`;
        if (image instanceof RequestFailed) {
          // If the server of the images does not respond, one deviation is enough.
          if (isServerSilent(image.error)) throw image;
          yield deviation(expected, image.message, image.exchange);
          continue;
        }
        const { headers, mediaType, exchange } = image;
        const type = headers['content-type'] ?? '';
        // opac finds the type from the bytes, but a browser may use the header.
        if (!/^image\//.test(type))
          yield deviation(expected, `${mediaType} with the content type "${type}"`, exchange, 'warn');
      }
    },
  },
  {
    id: 'images.size',
    promise: 'derivatives have the stated width and height',
    source: DERIVATIVES,
    async *run(probe) {
      let tried = 0;
      for await (const { derivative, image } of loadDerivatives(probe)) {
        const { identifier, width, height } = derivative;
        if (image instanceof RequestFailed || width === undefined || height === undefined) continue;
        tried++;
        const expected = `${identifier} has ${width} x ${height} pixels, as stated`;
        if (!hasSize(image, derivative))
          yield deviation(expected, `${image.width} x ${image.height}`, image.exchange);
      }
      if (tried === 0) throw new CheckNotApplicable('no loaded image has a stated size');
    },
  },
  {
    id: 'images.colors',
    promise: 'colours of images and of the palette are valid',
    source:
      'opac help interface, "Fields stated": cssColors, rawColors; opac help field-notes, "Answers": colours',
    warning: 'only colours are affected',
    async *run(probe) {
      const listColors = ({ cssColors, rawColors }: Image) => [...cssColors, ...rawColors];
      const all = await collectParts(probe, 'colors.list', readColor, listColors);
      takeFirst(all, 'the service returns no colours');
      for (const { part, at } of all) {
        const { hex, name, presence } = part;
        if (/^[0-9a-f]{6}$/.test(hex) && isMissingOrPercent(presence)) continue;
        const share = presence === undefined ? '' : ` and presence ${presence}`;
        const expected = 'six hexadecimal digits and a presence from 0 to 100';
        yield deviation(expected, `${name || 'a raw colour'} with hex "${hex}"${share}`, at);
        return;
      }
    },
  },
  {
    id: 'images.labels',
    promise: 'image labels have an id and a text, and scores are from 0 to 100',
    source: 'opac help interface, "Image labels"; opac help field-notes, "Answers": labels',
    warning: 'only labels of images are affected',
    async *run(probe) {
      const all = await collectParts(probe, 'records.imagelabels', readImageLabel, ({ labels }) => labels);
      takeFirst(all, 'the service returns no image labels');
      for (const { part, at } of all) {
        const { id, label, score } = part;
        if (id !== '' && label !== '' && isMissingOrPercent(score)) continue;
        const received = `id "${id}", text "${label}", score ${score ?? 'none'}`;
        yield deviation('an id, a text and, if there is a score, a score from 0 to 100', received, at);
        return;
      }
    },
  },
  {
    id: 'highlights.derivatives',
    promise: 'highlights contain all image derivatives',
    source:
      'opac help interface, "Highlights": the parameter derivative was removed, all image derivatives are returned',
    async *run(probe) {
      const { items, exchange } = await probe.requestList('highlights.list');
      const [first] = (await requestImages(probe)).images;
      const usual = first?.derivatives.map(({ identifier }) => identifier) ?? [];
      const shown = items.flatMap((item) =>
        asList(asObject(asObject(item).imagesCollection).images).map(asObject),
      );
      takeFirst(shown, 'no highlight has an image');
      const names = shown.map(({ imageDerivatives }) =>
        asList(imageDerivatives).map((each) => String(asObject(each).identifier)),
      );
      const incomplete = names.find((own) => usual.some((each) => !own.includes(each)));
      if (!incomplete) return;
      yield deviation(`${usual.join(', ')} for each image`, incomplete.join(', ') || 'none', exchange);
    },
  },
];

async function requestImages(probe: Probe) {
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

async function collectParts<Part>(
  probe: Probe,
  endpointId: EndpointId,
  read: (item: Json) => Part,
  listParts: (image: Image) => readonly Part[],
) {
  const { items, exchange } = await probe.requestList(endpointId);
  const found = await ignoreNotApplicable(requestImages(probe));
  return [
    ...items.map((item) => ({ part: read(item), at: exchange })),
    ...(found?.images ?? []).flatMap(listParts).map((part) => ({ part, at: found?.at })),
  ];
}

function isMissingOrPercent(number: number | undefined): boolean {
  return number === undefined || (number >= 0 && number <= 100);
}

interface LoadedDerivative {
  readonly derivative: Derivative;
  readonly image: LoadedImage | RequestFailed;
}

/** Loads the derivatives of one image. Stops after the first derivative without a response. */
async function* loadDerivatives(probe: Probe): AsyncGenerator<LoadedDerivative> {
  const { images } = await requestImages(probe);
  const all = images.map(({ derivatives }) => derivatives.filter(({ url }) => url !== ''));
  const found = all.filter(({ length }) => length > 0);
  for (const derivative of takeFirst(found, 'no image has a derivative').slice(0, MAX_DERIVATIVES)) {
    const image = await probe.requestImage(derivative.url).catch((error) => {
      if (error instanceof RequestFailed) return error;
      throw error;
    });
    yield { derivative, image };
    if (image instanceof RequestFailed && isServerSilent(image.error)) return;
  }
}
