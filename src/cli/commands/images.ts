/** `opac images`. */
import { downloadImages } from './images/download.js';
import { listImages } from './images/list.js';

export const commands = [listImages, downloadImages];
