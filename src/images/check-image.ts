/** Whether bytes are a whole image of the size that was stated, by their content alone. Nothing is decoded. */
import { imageSize } from 'image-size';

export interface ImageFacts {
  /** The ending of a file of its type, without the dot. */
  readonly extension: string;
  /** `image/jpeg`. */
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** What is wrong with bytes, as the end of a sentence; `isBroken` when they may come whole another time. */
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
  /** Whether the end of the image is there; types without it are taken as they come. */
  readonly isWhole?: (bytes: Buffer) => boolean;
}

/** By the names of image-size. What can hold scripts (SVG) or is no picture for people (icons, textures) is not taken. */
const TYPES: Readonly<Record<string, ImageType>> = {
  jpg: { extension: 'jpg', mediaType: 'image/jpeg', isWhole: endsJpeg },
  // The last chunk (W3C Portable Network Graphics, third edition, section 11.2.5).
  png: {
    extension: 'png',
    mediaType: 'image/png',
    isWhole: (bytes) => bytes.lastIndexOf('IEND', undefined, 'latin1') > 0,
  },
  // The trailer, perhaps with padding behind it (GIF89a, section 27).
  gif: { extension: 'gif', mediaType: 'image/gif', isWhole: (bytes) => bytes.subarray(-64).includes(0x3b) },
  // The length in the header of the RIFF file (WebP Container Specification).
  webp: {
    extension: 'webp',
    mediaType: 'image/webp',
    isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
  },
  tiff: { extension: 'tif', mediaType: 'image/tiff' },
  bigtiff: { extension: 'tif', mediaType: 'image/tiff' },
  bmp: {
    extension: 'bmp',
    mediaType: 'image/bmp',
    isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(2),
  },
  avif: { extension: 'avif', mediaType: 'image/avif', isWhole: endsBox },
  heic: { extension: 'heic', mediaType: 'image/heic', isWhole: endsBox },
  jp2: { extension: 'jp2', mediaType: 'image/jp2', isWhole: endsBox },
};

/** Pixels that an image may unpack to: the limit of sharp (0x3FFF squared), a gigabyte in memory. */
const MOST_PIXELS = 0x3fff ** 2;

/** Rounding of a scaled side. */
const TOLERANCE = 1;

/** The facts of an image, or what is wrong with the bytes. `stated`: the size to hold it against, where that is known. */
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

/** A turned photograph has its sides exchanged. */
function isOfSize(
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

/**
 * JPEG ends with a marker that occurs nowhere in the data of a scan (ITU-T T.81 section B.1.1.2), but may in a thumbnail before
 * them: it counts behind the first start of a scan.
 */
function endsJpeg(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (marker === 0xda) return bytes.includes(END_OF_IMAGE, at);
    // A marker may be filled up with 0xFF.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Boxes one behind the other (ISO/IEC 14496-12 section 4.2): the last one must not reach past the end. */
function endsBox(bytes: Buffer): boolean {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    // 0: to the end of the file; 1: the length stands behind, for more than 4 GB.
    if (size < 8) return size === 0 || size === 1;
    at += size;
  }
  return at === bytes.length;
}
