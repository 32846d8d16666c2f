export { ownAllEndpoints } from './own-endpoints.js';
