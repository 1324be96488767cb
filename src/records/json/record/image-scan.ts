/** Finds what tables show of images, in the bytes of a record, as src/service/records/record.ts reads it. */
import { type JsonReader, type Part, shape } from '../json-reader.js';
import { Span, Spans } from '../spans.js';

export class ImageScan {
  count = 0;
  /** Labels of all images, with repeats. */
  readonly labels = new Spans();
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

  readonly collection: Part = (at) => {
    this.clear();
    return this.#json.members(at, this.#collection);
  };

  readonly #collection = shape({
    images: (at) => {
      this.clear();
      return this.#json.items(at, this.#takeImage);
    },
  });

  readonly #image = shape({
    imageLabels: (at) => {
      this.labels.length = this.#labelsBefore;
      return this.#json.items(at, this.#takeLabel);
    },
    imageDerivatives: (at) => {
      this.#pixels = -1;
      this.#url.clear();
      return this.#json.items(at, this.#takeDerivative);
    },
  });

  readonly #takeImage: Part = (at) => {
    this.count++;
    this.#labelsBefore = this.labels.length;
    this.#url.clear();
    const end = this.#json.members(at, this.#image);
    if (!this.#url.isEmpty) this.urls.add(this.#url);
    return end;
  };

  readonly #imageLabel = shape({ imageLabel: (at) => this.#json.text(at, this.#label) });

  readonly #takeLabel: Part = (at) => {
    this.#label.clear();
    const end = this.#json.members(at, this.#imageLabel);
    this.labels.add(this.#label);
    return end;
  };

  readonly #derivative = shape({
    url: (at) => this.#json.text(at, this.#derivativeUrl),
    width: (at) => this.#json.text(at, this.#width),
    height: (at) => this.#json.text(at, this.#height),
  });

  readonly #takeDerivative: Part = (at) => {
    this.#derivativeUrl.clear();
    this.#width.clear();
    this.#height.clear();
    const end = this.#json.members(at, this.#derivative);
    const width = this.#json.numberIn(this.#width);
    const height = this.#json.numberIn(this.#height);
    if (width < 0 || height < 0) return -1;
    if (width * height > this.#pixels) {
      this.#pixels = width * height;
      this.#url.set(this.#derivativeUrl);
    }
    return end;
  };
}
