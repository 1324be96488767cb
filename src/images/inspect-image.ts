/** Checks that an image is complete and has the size in the record. Reads only the structure of the file, not the pixels. */
import { imageSize } from 'image-size';
import {
  isCompleteBmp,
  isCompleteBoxFile,
  isCompleteGif,
  isCompleteJpeg,
  isCompletePng,
  isCompleteTiff,
  isCompleteWebp,
} from './complete-image.js';
import { readImageHeader } from './image-header.js';

export interface ImageFacts {
  readonly extension: string;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

/** If `isBroken`, another request may return the complete image. */
export interface ImageProblem {
  readonly fault: string;
  readonly isBroken: boolean;
}

export interface DeclaredSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The keys are the type names of `image-size`. opac does not support SVG, because it can contain scripts. */
const COMPLETENESS_CHECKS: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  jpg: isCompleteJpeg,
  png: isCompletePng,
  gif: isCompleteGif,
  webp: isCompleteWebp,
  tiff: isCompleteTiff,
  bmp: isCompleteBmp,
  avif: isCompleteBoxFile,
  heic: isCompleteBoxFile,
  jp2: isCompleteBoxFile,
};

const toExtension = (type: string) => (type === 'tiff' ? 'tif' : type);

export const IMAGE_EXTENSIONS: ReadonlySet<string> = new Set(
  Object.keys(COMPLETENESS_CHECKS).map(toExtension),
);

/** The limit of sharp, an image library. An image of this size needs about one gigabyte of memory. */
const MAX_PIXELS = 0x3fff ** 2;

const MAX_ROUNDING_PIXELS = 1;

/** `declared`: the size that the image must have, from the record; undefined if any size is allowed. */
export function inspectImage(bytes: Buffer, declared: DeclaredSize | undefined): ImageFacts | ImageProblem {
  const reject = (fault: string, isBroken = false) => ({ fault, isBroken });
  if (bytes.length === 0) return reject('the server sent nothing', true);
  let found: ReturnType<typeof imageSize>;
  try {
    found = imageSize(readImageHeader(bytes));
  } catch {
    // If the header is incomplete, `imageSize` finds no size, but the first bytes may show that this is an image.
    const isImage = SIGNATURES.some((start) => bytes.subarray(0, start.length).equals(start));
    return isImage
      ? reject('the image is incomplete or damaged', true)
      : reject(`the response is ${describeContent(bytes)}`);
  }
  const { width, height, type = '' } = found;
  const size = `${width} x ${height} pixels`;
  const isComplete = Object.hasOwn(COMPLETENESS_CHECKS, type) ? COMPLETENESS_CHECKS[type] : undefined;
  if (!isComplete) return reject(`image type ${type} is not supported`);
  if (!isComplete(bytes)) return reject('the image is incomplete or damaged', true);
  if (!(width > 0 && height > 0)) return reject(`the image has ${size}`);
  if (width * height > MAX_PIXELS) return reject(`the image is too large: ${size}`);
  if (declared && !hasSize({ width, height }, declared))
    return reject(`the image has ${size}, but the record states ${declared.width} x ${declared.height}`);
  return {
    extension: toExtension(type),
    mediaType: `image/${type === 'jpg' ? 'jpeg' : type}`,
    width,
    height,
  };
}

/** Compares sizes. Photographs may be rotated, so the sides may be swapped. If a declared side is unknown, any size matches. */
export function hasSize(
  { width, height }: { readonly width: number; readonly height: number },
  declared: DeclaredSize,
): boolean {
  const { width: w, height: h } = declared;
  if (w === undefined || h === undefined) return true;
  const near = (one: number, other: number) => Math.abs(one - other) <= MAX_ROUNDING_PIXELS;
  return (near(width, w) && near(height, h)) || (near(width, h) && near(height, w));
}

const SIGNATURES = ['ffd8ff', '89504e47', '47494638', '49492a00', '4d4d002a'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

function describeContent(bytes: Buffer): string {
  const start = bytes.toString('utf8', 0, 256);
  if (/^\s*</.test(start)) return 'a web page or XML, not an image';
  return /^\s*[[{]/.test(start) ? 'JSON, not an image' : 'not an image';
}
