/** A killed download of images is gone on with. More kills: test/slow/images.test.ts. */
import { it } from 'vitest';
import { expectImagesAfter } from '../images/kills.js';

it('killed 4 times, ends with the files that the museum has', () => expectImagesAfter(4), 240_000);
