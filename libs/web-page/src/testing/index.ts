export { catalogueFaults, readSources } from './catalogue-faults.js';
