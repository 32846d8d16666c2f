"""What Schemathesis has to know of a service of Countersign: credentials, and ids that exist.

The environment variable GIVEN names a JSON file:
  adminToken                the token of /admin/v1
  clientId, clientSecret    the client that calls /relying-party/v1
  loginCookie               the cookie of a claimed login, "name=value"
  phone, sparePhone         the phones that call /app/v1, each as {"deviceId", "key"}; key: PEM, PKCS#8.
                            The spare one is removed by DELETE /app/v1/device
  ids                       for the name of a parameter of a path, ids that exist
  kept                      ids that no request may change, since the credentials depend on them
"""

import hashlib
import json
import os
import time
import uuid
from urllib.parse import urlsplit

import jwt
import requests
import schemathesis

with open(os.environ["GIVEN"], encoding="utf-8") as file:
    GIVEN = json.load(file)

# Milliseconds. A generated request does not wait longer for a change.
LONGEST_POLL = 50


def device_proof(phone, request):
    """The proof of one call (docs/specification/app.md, "Device proof")."""
    body = request.body or b""
    if isinstance(body, str):
        body = body.encode()
    claims = {
        "htm": request.method,
        "htu": urlsplit(request.url).path,
        "iat": int(time.time()),
        "jti": str(uuid.uuid4()),
        "bsh": jwt.utils.base64url_encode(hashlib.sha256(body).digest()).decode(),
    }
    return jwt.encode(claims, phone["key"], algorithm="ES256", headers={"typ": "device-proof+jwt", "kid": phone["deviceId"]})


class Credentials(requests.auth.AuthBase):
    """The credentials of each API."""

    def __call__(self, request):
        path = urlsplit(request.url).path
        if "Prefer" in request.headers:
            request.headers["Prefer"] = "wait=0"
        if path.startswith("/admin/"):
            request.headers["Authorization"] = f"Bearer {GIVEN['adminToken']}"
        elif path.startswith("/relying-party/"):
            requests.auth.HTTPBasicAuth(GIVEN["clientId"], GIVEN["clientSecret"])(request)
        elif path.startswith("/login-ui/"):
            request.headers["Cookie"] = GIVEN["loginCookie"]
        elif path.startswith("/app/"):
            removes = request.method == "DELETE" and path == "/app/v1/device"
            request.headers["Device-Proof"] = device_proof(GIVEN["sparePhone" if removes else "phone"], request)
        return request


schemathesis.auth.set_from_requests(Credentials())


def existing(name, made):
    """For half of the generated values of a parameter, an id that exists; the same value always leads to the same id."""
    ids = GIVEN["ids"].get(name)
    first, second = hashlib.sha256(str(made).encode("utf-8", "surrogatepass")).digest()[:2]
    return ids[second % len(ids)] if ids and first % 2 == 0 else made


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Ids that exist, beside those that Schemathesis has made."""
    for name, made in (path_parameters or {}).items():
        path_parameters[name] = existing(name, made)
    return path_parameters


@schemathesis.hook
def before_call(context, case, kwargs):
    """No request changes what `kept` names, and none removes what `ids` names. Schemathesis also uses ids of earlier answers."""
    method = case.method.upper()
    spared = GIVEN["kept"] if method != "GET" else []
    if method == "DELETE":
        spared = spared + sum(GIVEN["ids"].values(), [])
    for name, value in (case.path_parameters or {}).items():
        if value in spared:
            case.path_parameters[name] = str(uuid.uuid4())


@schemathesis.hook
def map_query(context, query):
    """Requests that wait for a change wait for a moment."""
    if query and isinstance(query.get("timeoutMs"), int) and query["timeoutMs"] > LONGEST_POLL:
        query["timeoutMs"] = LONGEST_POLL
    return query
