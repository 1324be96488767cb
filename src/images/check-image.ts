/** Checks from the bytes alone that an image is whole and of the stated size. Nothing is decoded. */
import { imageSize } from 'image-size';
import { isWholeBoxFile, isWholeGif, isWholeJpeg, isWholePng } from './whole-image.js';
import { isWholeTiff } from './whole-tiff.js';

export interface ImageFacts {
  readonly extension: string;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

/** `fault` ends a sentence; `isBroken`: a retry may bring the whole image. */
export interface ImageFault {
  readonly fault: string;
  readonly isBroken: boolean;
}

export interface StatedSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

interface ImageType {
  readonly extension: string;
  readonly mediaType: string;
  readonly isWhole?: (bytes: Buffer) => boolean;
}

/** By image-size's names. Left out: what can hold scripts (SVG), BigTIFF, which is for more than 4 GB, and icons and textures. */
const TYPES: Readonly<Record<string, ImageType>> = {
  jpg: { extension: 'jpg', mediaType: 'image/jpeg', isWhole: isWholeJpeg },
  png: { extension: 'png', mediaType: 'image/png', isWhole: isWholePng },
  gif: { extension: 'gif', mediaType: 'image/gif', isWhole: isWholeGif },
  // RIFF length: WebP Container Specification.
  webp: {
    extension: 'webp',
    mediaType: 'image/webp',
    isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
  },
  tiff: { extension: 'tif', mediaType: 'image/tiff', isWhole: isWholeTiff },
  bmp: {
    extension: 'bmp',
    mediaType: 'image/bmp',
    isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(2),
  },
  avif: { extension: 'avif', mediaType: 'image/avif', isWhole: isWholeBoxFile },
  heic: { extension: 'heic', mediaType: 'image/heic', isWhole: isWholeBoxFile },
  jp2: { extension: 'jp2', mediaType: 'image/jp2', isWhole: isWholeBoxFile },
};

/** The limit of sharp (0x3FFF squared): a gigabyte in memory. */
const MOST_PIXELS = 0x3fff ** 2;

/** Rounding of a scaled side. */
const TOLERANCE = 1;

export function checkImage(bytes: Buffer, stated: StatedSize | undefined): ImageFacts | ImageFault {
  if (bytes.length === 0) return { fault: 'the server sent nothing', isBroken: true };
  let found: ReturnType<typeof imageSize>;
  try {
    found = imageSize(bytes);
  } catch {
    // A header that breaks off looks like none.
    const isBroken = TYPE_STARTS.some((start) => bytes.subarray(0, start.length).equals(start));
    return {
      fault: isBroken ? 'the image breaks off or is damaged' : `it is ${nameOf(bytes)} and no image`,
      isBroken,
    };
  }
  const { width, height, type = '' } = found;
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!known) return { fault: `it is of the type ${type}, which is not taken`, isBroken: false };
  if (known.isWhole?.(bytes) === false) return { fault: 'the image is cut short', isBroken: true };
  if (!(width > 0 && height > 0)) return { fault: `it has ${width} x ${height} pixels`, isBroken: false };
  if (width * height > MOST_PIXELS) {
    return { fault: `it would unpack to ${width} x ${height} pixels, more than are taken`, isBroken: false };
  }
  if (stated && !isOfSize({ width, height }, stated)) {
    const size = `${stated.width} x ${stated.height}`;
    return { fault: `it has ${width} x ${height} pixels, but ${size} were stated`, isBroken: false };
  }
  return { extension: known.extension, mediaType: known.mediaType, width, height };
}

/** A rotated photograph has its sides swapped. */
export function isOfSize(
  { width, height }: { readonly width: number; readonly height: number },
  stated: StatedSize,
): boolean {
  const { width: w, height: h } = stated;
  if (w === undefined || h === undefined) return true;
  const near = (one: number, other: number) => Math.abs(one - other) <= TOLERANCE;
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
