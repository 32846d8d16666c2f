import type { Fields } from '../schema.js';

/** The field of a page of a list that leads to the next one. */
export const NEXT: Fields = { 'next?': 'uuid: The value of `after` that returns the next page. Absent on the last page.' };
