import { PortalPersons } from '../portal-persons.js';

/** A portal without members. */
export class NoPortalPersons extends PortalPersons {
  override isMember = async (): Promise<boolean> => false;
  override phoneRevoked = async (): Promise<void> => undefined;
}
