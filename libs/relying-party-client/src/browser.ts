// The part of the SDK that runs in a browser: it needs no secret, no Node and no package.
export { attachBlob, AttachRefused } from '#asic/browser';
