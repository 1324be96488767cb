/** `opac images`. */
import { listImages } from './images/list.js';

export const commands = [listImages];
