from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from .errors import SandboxError

#: Seconds for one call: longer than the longest delay of a phone (600), so that only a sandbox that hangs ends one.
TIME_LIMIT = 660


class _Unfollowed(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


#: The sandbox refuses what a proxy forwards.
_opener = build_opener(ProxyHandler({}), _Unfollowed)


class SandboxCalls:
    """The calls of `/sandbox/v1`, in JSON."""

    def __init__(self, url: str) -> None:
        self._url = url

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The answer's body; None when it has none. Raises a SandboxError."""
        request = Request(f"{self._url}/sandbox/v1{path}", method=method)
        if body is not None:
            request.add_header("content-type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with _opener.open(request, timeout=TIME_LIMIT) as answer:
                text = answer.read()
        except HTTPError as refused:
            raise _refusal(f"{method} /sandbox/v1{path}", refused) from None
        except (URLError, OSError) as error:
            raise SandboxError(f"the sandbox at {self._url} cannot be reached: {error}") from error
        return json.loads(text) if text else None


def _refusal(call: str, refused: HTTPError) -> SandboxError:
    try:
        envelope = json.loads(refused.read())
        code, translation = envelope.get("errorCode"), envelope.get("defaultTranslation")
    except (ValueError, AttributeError):
        code = translation = None
    words = ": ".join(word for word in (code, translation) if word)
    return SandboxError(f"the sandbox answered {refused.code} to {call}{': ' if words else ''}{words}", code)
