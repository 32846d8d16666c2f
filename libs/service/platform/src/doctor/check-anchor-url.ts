import { InvalidSettings, type PlatformSettings } from '#service/config';
import { PlaceUnavailable } from '#engines/transparency-log';
import { SilentLog } from '#telemetry';

import { serverAt } from '../anchors.js';
import { openEgress } from '../open-egress.js';
import { type DoctorFinding, findingsOf } from './finding.js';

/** Whether the server at ANCHOR_URL answers this user, and takes the token. Stores nothing there. */
export const checkAnchorUrl = async (settings: PlatformSettings): Promise<readonly DoctorFinding[]> => {
  const { anchorUrl } = settings;
  return anchorUrl === undefined ? [] : findingsOf(`ANCHOR_URL ${new URL(anchorUrl).host}`, await problemsAt(anchorUrl, settings));
};

const problemsAt = async (url: string, settings: PlatformSettings): Promise<readonly string[]> => {
  try {
    await serverAt(url, settings, openEgress(settings, new SilentLog())).read('checkpoint');
    return [];
  } catch (error) {
    // Those of the proxy are said beside the trust services.
    if (error instanceof InvalidSettings) return [];
    if (!(error instanceof PlaceUnavailable)) throw error;
    return [`${error.reason}. ${remedyOf(error.reason)}`];
  }
};

const remedyOf = (reason: string): string => {
  if (/status 40[13]/.test(reason)) return 'Correct ANCHOR_TOKEN_FILE, or the rights of its token there.';
  if (/CERT|SIGNATURE|ISSUER/.test(reason)) return 'Set ANCHOR_CA_FILE to the CA of its certificate, and ANCHOR_URL to a name in it.';
  return 'Correct ANCHOR_URL, or ask its operator: GET has to answer a file that was put there, and 404 without one.';
};
