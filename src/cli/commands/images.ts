/** `opac images`. */
import { downloadImages } from './images/download.js';
import { listImages } from './images/list.js';
import { sheetOfImages } from './images/sheet.js';

export const commands = [listImages, downloadImages, sheetOfImages];
