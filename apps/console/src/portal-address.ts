/** The address of the portal's page, for injection. */
export const PORTAL_ADDRESS = Symbol('portal address');
