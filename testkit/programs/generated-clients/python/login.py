"""A login by the generated client for Python, from the session to the subjectId. Prints what it saw as one line of JSON."""

import base64
import hashlib
import json
import os
import secrets
import urllib.parse
import urllib.request

from countersign_client import ApiClient, ApiException, Configuration, SessionsApi
from countersign_client.models import CodeChallengeMethod, CreateSessionRequest, ExchangeTokenRequest, SessionStatus, SignatureType

environment = os.environ
redirect_uri = environment["REDIRECT_URI"]


def scan(session_id):
    """The phone of the sandbox scans the code of the waiting page, and confirms."""
    query = urllib.parse.urlencode({"sessionId": session_id, "returnUrl": redirect_uri})
    body = json.dumps({"qr": f"{environment['APP_SCHEME']}://app/scan?{query}"}).encode()
    urllib.request.urlopen(urllib.request.Request(environment["PHONE"] + "/scan", body, {"content-type": "application/json"}))


verifier = secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()

configuration = Configuration(host=environment["BASE_URL"], username=environment["CLIENT_ID"], password=environment["CLIENT_SECRET"])
sessions = SessionsApi(ApiClient(configuration))

created = sessions.create_session(
    CreateSessionRequest(
        signature_type=SignatureType.AUTHENTICATION,
        redirect_uri=redirect_uri,
        state=secrets.token_urlsafe(16),
        code_challenge=challenge,
        code_challenge_method=CodeChallengeMethod.S256,
    )
)
before = sessions.get_session(created.session_id).status
scan(created.session_id)
status = before
while status in (SessionStatus.PENDING, SessionStatus.SCANNED):
    status = sessions.get_session(created.session_id, prefer="wait=25", since=status).status
redirect = sessions.complete_session(created.session_id).redirect
code = urllib.parse.parse_qs(urllib.parse.urlsplit(redirect).query)["code"][0]
exchange = ExchangeTokenRequest(code=code, code_verifier=verifier)
subject_id = sessions.exchange_token(exchange).subject_id
try:
    refused = sessions.exchange_token(exchange)
except ApiException as error:
    refused = error.data.error_code

print(json.dumps({"before": before, "after": status, "subjectId": str(subject_id), "refused": refused}))
