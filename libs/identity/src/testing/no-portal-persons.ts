import { PortalPersons } from '../portal-persons.js';

/** A portal without members. */
export class NoPortalPersons extends PortalPersons {
  override phoneRevoked = async (): Promise<void> => undefined;
}
