/** Patterns of paths of `/admin/v1`, as the router has them. */
export const CLIENT = '/admin/v1/clients/:clientId';
export const ENDPOINT = `${CLIENT}/webhook-endpoints/:endpointId`;
export const IDENTITY = '/admin/v1/identities/:identityId';
export const MEMBER = '/admin/v1/members/:subjectId';
export const CLIENT_MEMBER = `${CLIENT}/members/:subjectId`;
export const OWN = '/admin/v1/own';
export const APPROVAL = '/admin/v1/approvals/:approvalId';
