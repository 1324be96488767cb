/** The commands of `opac images`. */
import { downloadCommand } from './images/download.js';
import { listCommand } from './images/list.js';
import { sheetCommand } from './images/sheet.js';

export const commands = [listCommand, downloadCommand, sheetCommand];
