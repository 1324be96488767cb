/** The images of records: sizes (derivatives), colours of the pixels, and labels such as those of image recognition. */
import { countColors, createPattern, DERIVATIVES, getSize } from '../images/image-pattern.js';
import { seededRandom } from '../random.js';
import type { Image, ImageDraft } from './record-json.js';

export const IMAGE_PATH = '/records/images';

/** The `url` of each size is only a path, without a host. built-in.ts adds `imageLabelId` and `count` to the labels. */
export function image({ recordId, imageId, caption, labels }: ImageDraft): Image {
  const drawn = createPattern(imageId);
  const { below } = seededRandom(imageId);
  return {
    imageId: String(imageId),
    caption,
    imageAttributes: [
      { key: 'copyright', value: below(3) === 0 ? '' : 'No known copyright restrictions' },
      { key: 'photographer', value: 'Museum photographer' },
    ],
    imageDerivatives: derivatives(recordId, imageId),
    ...countColors(drawn),
    imageLabels: labels
      .map((imageLabel) => ({ imageLabel, status: 'auto_verified', score: (6000 + below(3990)) / 100 }))
      .sort((one, other) => other.score - one.score),
  };
}

/** The URLs are paths. Widths and heights are strings, as in test/fixtures. */
export function derivatives(recordId: string, imageId: number): object[] {
  const drawn = createPattern(imageId);
  return Object.keys(DERIVATIVES).map((identifier) => {
    const size = getSize(drawn, identifier);
    return {
      identifier,
      url: `${IMAGE_PATH}/${identifier.toLowerCase()}/${recordId}/${imageId}.png`,
      width: String(size?.width),
      height: String(size?.height),
    };
  });
}
