import { openIdSettings } from '../../../apps/console/page/src/openid-settings.js';
import { issuerOf, newCast, RelyingParty, type Service } from '../../support/index.js';
import { Person } from './person.js';

export { ForeignProgram } from './foreign-program.js';
export { Person, type Shown } from './person.js';

/** A client as the portal shows it to its developer, and a person who logs in. */
export interface Recipe {
  readonly service: Service;
  readonly issuer: string;
  readonly shop: RelyingParty;
  /** The settings of the framework, as they are copied from the portal. */
  readonly settings: string;
  /** A person whose browser holds no cookie. */
  readonly person: () => Person;
}

interface RecipeOptions {
  /** Parts of the path of the callback, as the application has them. */
  readonly path?: Readonly<Record<string, string>>;
  /** The protections that are switched off for the framework (docs/openid.md), beside pushed requests, which few libraries know. */
  readonly terms?: Readonly<Record<string, unknown>>;
}

/** The recipe of the framework, whose application is at `origin`. */
export const recipeOf = async (framework: string, origin: string, { path = {}, terms = {} }: RecipeOptions = {}): Promise<Recipe> => {
  const { service, phone } = await newCast();
  const issuer = await issuerOf(service);
  const found = openIdSettings(issuer, 'CLIENT').find(({ name }) => name === framework);
  if (!found) throw new Error(`the portal has no settings of ${framework}`);
  const callback = Object.entries(path).reduce((whole, [name, value]) => whole.replace(name, value), found.callback);
  const shop = await RelyingParty.register(service, {
    redirect_uris: [origin + callback],
    allowed_attributes: ['name', 'givenName', 'familyName', 'email'],
    require_pushed_authorization_requests: false,
    ...terms,
  });
  const settings = found.settings.replace('CLIENT', shop.clientId);
  return { service, issuer, shop, settings, person: () => new Person(service, phone, issuer) };
};
