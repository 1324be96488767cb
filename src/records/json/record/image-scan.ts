/** Finds the images of a record in its bytes. Follows the same rules as src/service/records/record.ts. */
import { createObjectParser, type JsonReader, type ValueParser } from '../json-reader.js';
import { Span, Spans } from '../spans.js';

export class ImageScan {
  count = 0;
  readonly labels = new Spans();
  /** The URL of the largest size of each image. Omits images whose largest size has no URL. */
  readonly urls = new Spans();

  readonly #json: JsonReader;
  readonly #label = new Span();
  #labelsBefore = 0;
  #pixels = -1;
  readonly #url = new Span();
  readonly #derivativeUrl = new Span();
  readonly #width = new Span();
  readonly #height = new Span();

  constructor(json: JsonReader) {
    this.#json = json;
  }

  clear(): void {
    this.count = 0;
    this.labels.length = 0;
    this.urls.length = 0;
  }

  readonly readImagesCollection: ValueParser = (at) => {
    this.clear();
    return this.#json.readMembers(at, this.#collection);
  };

  readonly #collection = createObjectParser({
    images: (at) => {
      this.clear();
      return this.#json.readItems(at, this.#readImage);
    },
  });

  readonly #image = createObjectParser({
    imageLabels: (at) => {
      this.labels.length = this.#labelsBefore;
      return this.#json.readItems(at, this.#readLabel);
    },
    imageDerivatives: (at) => {
      this.#pixels = -1;
      this.#url.clear();
      return this.#json.readItems(at, this.#readDerivative);
    },
  });

  readonly #readImage: ValueParser = (at) => {
    this.count++;
    this.#labelsBefore = this.labels.length;
    this.#url.clear();
    const end = this.#json.readMembers(at, this.#image);
    if (!this.#url.isEmpty) this.urls.add(this.#url);
    return end;
  };

  readonly #imageLabel = createObjectParser({ imageLabel: (at) => this.#json.readText(at, this.#label) });

  readonly #readLabel: ValueParser = (at) => {
    this.#label.clear();
    const end = this.#json.readMembers(at, this.#imageLabel);
    this.labels.add(this.#label);
    return end;
  };

  readonly #derivative = createObjectParser({
    url: (at) => this.#json.readText(at, this.#derivativeUrl),
    width: (at) => this.#json.readText(at, this.#width),
    height: (at) => this.#json.readText(at, this.#height),
  });

  readonly #readDerivative: ValueParser = (at) => {
    this.#derivativeUrl.clear();
    this.#width.clear();
    this.#height.clear();
    const end = this.#json.readMembers(at, this.#derivative);
    const width = this.#json.parseSmallInteger(this.#width);
    const height = this.#json.parseSmallInteger(this.#height);
    if (width < 0 || height < 0) return -1;
    if (width * height > this.#pixels) {
      this.#pixels = width * height;
      this.#url.set(this.#derivativeUrl);
    }
    return end;
  };
}
