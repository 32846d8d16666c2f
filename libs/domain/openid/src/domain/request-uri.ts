/** RFC 9126 section 2.2. The handoff token of the pushed login follows. */
export const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:';
