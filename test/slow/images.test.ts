/** A download of images that is killed many times. */
import { it } from 'vitest';
import { expectImagesAfter } from '../images/kills.js';

it(
  'downloads exactly the images of the museum, although it is killed 10 times',
  () => expectImagesAfter(10),
  240_000,
);
