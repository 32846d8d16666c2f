"""Judges containers by pyHanko: python check.py ROOT.der CASES, where each line of CASES holds a path and a level, with a tab between them.

Prints one line for each container: PASSED, or FAILED and the reasons. It looks at the signature over the manifest, at the chains and their revocation
from what the container holds, at the time-stamp, at the archive time-stamps, and compares the documents in the container with their digests.
"""

import asyncio
import base64
import hashlib
import io
import logging
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree
import zipfile

from asn1crypto import cms, crl, ocsp, tsp, x509
from pyhanko.sign.validation.generic_cms import async_validate_detached_cms, validate_tst_signed_data
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko_certvalidator import ValidationContext

SIGNATURE = 'META-INF/signature001.p7s'
MANIFEST = 'META-INF/ASiCManifest001.xml'
ARCHIVE_MANIFEST = 'META-INF/ASiCArchiveManifest.xml'
ASIC = '{http://uri.etsi.org/02918/v1.2.1#}'
DIGEST = '{http://www.w3.org/2000/09/xmldsig#}DigestValue'
OCSP_RESPONSE = '1.3.6.1.5.5.7.16.2'


def revocation_in(signed_data):
    """The lists and the OCSP responses in `crls` (RFC 5652 §10.2.1, RFC 5940)."""
    lists, responses = [], []
    for choice in signed_data['crls'] or [] if signed_data['crls'].native else []:
        if choice.name == 'crl':
            lists.append(crl.CertificateList.load(choice.chosen.dump()))
            continue
        other = choice.chosen
        if other['other_rev_info_format'].dotted == OCSP_RESPONSE:
            responses.append(ocsp.OCSPResponse.load(other['other_rev_info'].dump()))
    return lists, responses


def context(root, certificates, revocation, moment, required):
    lists, responses = revocation
    return ValidationContext(
        trust_roots=[root],
        other_certs=certificates,
        crls=lists,
        ocsps=responses,
        moment=moment,
        allow_fetching=False,
        revocation_mode='require' if required else 'soft-fail',
        retroactive_revinfo=True,
    )


def certificates_in(signed_data):
    return [choice.chosen for choice in signed_data['certificates']]


def digest_problems(manifest, archive, names):
    problems = []
    tree = ElementTree.fromstring(manifest)
    signed = tree.find(ASIC + 'SigReference').get('URI')
    if signed not in names:
        problems.append(f'no {signed}')
    for reference in tree.iter(ASIC + 'DataObjectReference'):
        name = urllib.parse.unquote(reference.get('URI'))
        digest = hashlib.sha512(archive.read(name)).digest() if name in names else None
        if digest != base64.b64decode(reference.find(DIGEST).text):
            problems.append(f'digest of {name!r}')
    return problems


async def archive_problems(archive, names, root, certificates, revocation):
    """Of containers of level LTA: each token is over the manifest that names it, and the manifest has the right digests."""
    problems = []
    for name in names:
        if not name.startswith('META-INF/ASiCArchiveManifest'):
            continue
        manifest = archive.read(name)
        token_name = ElementTree.fromstring(manifest).find(ASIC + 'SigReference').get('URI')
        token = cms.ContentInfo.load(archive.read(token_name))['content']
        info = tsp.TSTInfo.load(token['encap_content_info']['content'].contents)
        own_lists, own_responses = revocation_in(token)
        pool = certificates + certificates_in(token)
        own = (own_lists + revocation[0], own_responses + revocation[1])
        moment = context(root, pool, own, info['gen_time'].native, True)
        status = await validate_tst_signed_data(token, moment, lambda algorithm: hashlib.new(algorithm, manifest).digest())
        if not (status['intact'] and status['valid'] and status['validation_path']):
            problems.append(f'archive time-stamp {token_name}')
        problems += [f'{name}: {problem}' for problem in digest_problems(manifest, archive, names)]
    return problems


async def judge(path, level, root):
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        manifest = archive.read(MANIFEST)
        signed_data = cms.ContentInfo.load(archive.read(SIGNATURE), strict=True)['content']
        revocation = revocation_in(signed_data)
        proven = level in ('LT', 'LTA')
        certificates = certificates_in(signed_data)
        attributes = signed_data['signer_infos'][0]['unsigned_attrs']
        tokens = [a['values'][0]['content'] for a in attributes if a['type'].native == 'signature_time_stamp_token'] if attributes.native else []
        moment = tokens[0]['encap_content_info']['content'].parsed['gen_time'].native if tokens else None
        status = await async_validate_detached_cms(
            io.BytesIO(manifest),
            signed_data,
            signer_validation_context=context(root, certificates, revocation, moment, proven),
            ts_validation_context=context(root, certificates, revocation, moment, proven),
            key_usage_settings=KeyUsageConstraints(key_usage={'non_repudiation'}),
        )
        problems = [] if status.intact and status.valid and status.trusted else [status.summary()]
        stamp = status.timestamp_validity
        if level != 'B' and not (stamp and stamp.intact and stamp.valid and stamp.trusted):
            problems.append(f'time-stamp: {stamp.summary() if stamp else "none"}')
        if (level == 'LTA') != (ARCHIVE_MANIFEST in names):
            problems.append('level')
        problems += digest_problems(manifest, archive, names)
        problems += await archive_problems(archive, names, root, certificates, revocation)
        return problems


async def main():
    logging.disable(logging.CRITICAL)
    root = x509.Certificate.load(open(sys.argv[1], 'rb').read())
    for line in open(sys.argv[2], encoding='utf-8'):
        path, level = line.rstrip('\n').split('\t')
        try:
            problems = await judge(path, level, root)
        except Exception as error:  # a container that it cannot read is refused, whatever the reason
            problems = [f'{type(error).__name__}: {error}']
        print('FAILED ' + '; '.join(problems).replace('\n', ' ') if problems else 'PASSED', flush=True)


asyncio.run(main())
