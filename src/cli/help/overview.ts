/** What `opac` prints without arguments: at most 24 lines of 80 columns. */
import { getStyles } from '../output/terminal/styles.js';
import type { Terminal } from '../output/terminal/terminal.js';

export function createOverview(terminal: Terminal): string {
  return TEXT.replaceAll(/^\S.*:$/gm, getStyles(terminal).bold);
}

const TEXT = `Usage: opac <command> [options]

Most used commands:
  objects list      search objects; also: persons, venues, records
  objects get       show one object
  objects export    export objects to a file
  facets list       show the collection as charts
  images download   download images into a folder
  diff              show what changed between two exports
  check             check that a deployment follows the documented API
  login             log in to a deployment and save it as a profile

Examples (--mock uses the built-in museum and needs no set-up):
  opac objects list --mock
  opac objects get 20022 --mock
  opac objects export --mock --has-images -o objects.csv

More:
  opac --help                  all commands and options
  opac <command> --help        the options of a command
  opac help getting-started    first steps (common tasks: opac help tasks)
  opac help <topic>            searching, exporting, formats, errors and others
`;
