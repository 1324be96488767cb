/** Checks from the bytes alone that an image is whole and of the stated size. Nothing is decoded. */
import { imageSize } from 'image-size';
import {
  isWholeBmp,
  isWholeBoxFile,
  isWholeGif,
  isWholeJpeg,
  isWholePng,
  isWholeWebp,
} from './complete-image.js';
import { isCompleteTiff } from './complete-tiff.js';

export interface ImageFacts {
  readonly extension: string;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

/** `fault` ends a sentence; `isBroken`: a retry may bring the whole image. */
export interface ImageProblem {
  readonly fault: string;
  readonly isBroken: boolean;
}

export interface DeclaredSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

interface ImageType {
  readonly extension: string;
  readonly mediaType: string;
  readonly isWhole: (bytes: Buffer) => boolean;
}

/** By image-size's names. Left out: what can hold scripts (SVG), BigTIFF, which is for more than 4 GB, and icons and textures. */
const TYPES: Readonly<Record<string, ImageType>> = {
  jpg: { extension: 'jpg', mediaType: 'image/jpeg', isWhole: isWholeJpeg },
  png: { extension: 'png', mediaType: 'image/png', isWhole: isWholePng },
  gif: { extension: 'gif', mediaType: 'image/gif', isWhole: isWholeGif },
  webp: { extension: 'webp', mediaType: 'image/webp', isWhole: isWholeWebp },
  tiff: { extension: 'tif', mediaType: 'image/tiff', isWhole: isCompleteTiff },
  bmp: { extension: 'bmp', mediaType: 'image/bmp', isWhole: isWholeBmp },
  avif: { extension: 'avif', mediaType: 'image/avif', isWhole: isWholeBoxFile },
  heic: { extension: 'heic', mediaType: 'image/heic', isWhole: isWholeBoxFile },
  jp2: { extension: 'jp2', mediaType: 'image/jp2', isWhole: isWholeBoxFile },
};

/** The limit of sharp (0x3FFF squared): a gigabyte in memory. */
const MAX_PIXELS = 0x3fff ** 2;

/** Rounding of a scaled side. */
const MAX_ROUNDING_PIXELS = 1;

export function inspectImage(bytes: Buffer, stated: DeclaredSize | undefined): ImageFacts | ImageProblem {
  const refused = (fault: string, isBroken = false) => ({ fault, isBroken });
  if (bytes.length === 0) return refused('the server sent nothing', true);
  let found: ReturnType<typeof imageSize>;
  try {
    found = imageSize(bytes);
  } catch {
    // A header that breaks off looks like none.
    const isImage = TYPE_STARTS.some((start) => bytes.subarray(0, start.length).equals(start));
    return isImage
      ? refused('the image breaks off or is damaged', true)
      : refused(`it is ${nameOf(bytes)} and no image`);
  }
  const { width, height, type = '' } = found;
  const size = `${width} x ${height} pixels`;
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!known) return refused(`it is of the type ${type}, which is not taken`);
  if (!known.isWhole(bytes)) return refused('the image is cut short', true);
  if (!(width > 0 && height > 0)) return refused(`it has ${size}`);
  if (width * height > MAX_PIXELS) return refused(`it would unpack to ${size}, more than are taken`);
  if (stated && !isOfSize({ width, height }, stated))
    return refused(`it has ${size}, but ${stated.width} x ${stated.height} were stated`);
  return { extension: known.extension, mediaType: known.mediaType, width, height };
}

/** A rotated photograph has its sides swapped. */
export function isOfSize(
  { width, height }: { readonly width: number; readonly height: number },
  stated: DeclaredSize,
): boolean {
  const { width: w, height: h } = stated;
  if (w === undefined || h === undefined) return true;
  const near = (one: number, other: number) => Math.abs(one - other) <= MAX_ROUNDING_PIXELS;
  return (near(width, w) && near(height, h)) || (near(width, h) && near(height, w));
}

const TYPE_STARTS = ['ffd8ff', '89504e47', '47494638', '49492a00', '4d4d002a'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

function nameOf(bytes: Buffer): string {
  const start = bytes.toString('utf8', 0, 256);
  if (/^\s*</.test(start)) return 'a web page or XML';
  return /^\s*[[{]/.test(start) ? 'JSON' : 'something else';
}
