/** A download of images over many kills. */
import { it } from 'vitest';
import { expectImagesAfter } from '../images/kills.js';

it('killed 10 times, ends with the files that the museum has', () => expectImagesAfter(10), 240_000);
