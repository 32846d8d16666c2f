"""The application whose login is tested: it logs in by OpenID Connect, with nothing but the standard library."""

import base64
import hashlib
import json
import secrets
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen


class Shop:
    def __init__(self, issuer, client_id, client_secret, redirect_uri):
        self.client_id, self.client_secret, self.redirect_uri = client_id, client_secret, redirect_uri
        with urlopen(f"{issuer}/.well-known/openid-configuration") as answer:
            self.addresses = json.load(answer)

    def login(self, session):
        """The address to which the browser is sent. `session`: that of the browser, on the server."""
        session["state"], session["verifier"] = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        digest = hashlib.sha256(session["verifier"].encode()).digest()
        query = {
            "response_type": "code",
            "scope": "openid",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "state": session["state"],
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        return f"{self.addresses['authorization_endpoint']}?{urlencode(query)}"

    def callback(self, session, url):
        """Logs the person in who comes back at this address."""
        query = parse_qs(urlsplit(url).query)
        if query["state"] != [session.pop("state")]:
            raise PermissionError("the answer belongs to another login")
        form = {"grant_type": "authorization_code", "code": query["code"][0], "redirect_uri": self.redirect_uri, "code_verifier": session.pop("verifier")}
        credentials = base64.b64encode(f"{self.client_id}:{self.client_secret}".encode()).decode()
        exchange = Request(self.addresses["token_endpoint"], urlencode(form).encode(), {"authorization": f"Basic {credentials}"})
        with urlopen(exchange) as answer:
            access_token = json.load(answer)["access_token"]
        with urlopen(Request(self.addresses["userinfo_endpoint"], headers={"authorization": f"Bearer {access_token}"})) as answer:
            session["subject"] = json.load(answer)["sub"]
