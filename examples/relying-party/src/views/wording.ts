import type { Texts } from '../messages/messages.js';
import { fill } from './fill.js';
import type { Markup } from './html.js';

const ATTRIBUTES = ['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'] as const;

/** The name of an attribute or a predicate on a page. */
export const describe = (name: string, texts: Texts): Markup | string => {
  const [, years, country] = /^(?:ageOver(\d+)|countryIs([A-Z]{2}))$/.exec(name) ?? [];
  if (years !== undefined) return fill(texts.older, { years });
  if (country !== undefined) return fill(texts.from, { country });
  const known = ATTRIBUTES.find((attribute) => attribute === name);
  return known === undefined ? name : texts[known];
};
