/** A killed download of images can be continued. More kills: test/slow/images.test.ts. */
import { it } from 'vitest';
import { expectImagesAfter } from '../images/kills.js';

it('downloads all files of the museum after 4 kills', () => expectImagesAfter(4), 240_000);
