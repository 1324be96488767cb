/** The built-in museum, for the tests of whoever talks to the service. */
export { CATALOGUE } from '../service/catalogue.js';
