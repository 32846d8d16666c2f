from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Client:
    """A relying party of the sandbox."""

    client_id: str
    client_secret: str
    redirect_uris: tuple[str, ...]

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Client:
        return cls(answer["clientId"], answer["clientSecret"], tuple(answer["redirectUris"]))


@dataclass(frozen=True)
class Phone:
    """A person with a phone."""

    phone_id: str
    persona: str
    #: The person's data, as docs/specification/sandbox.md names them: `givenName`, `familyName`, `personalCode`, …
    identity: Mapping[str, Any]

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Phone:
        return cls(answer["phoneId"], answer["persona"], answer["identity"])


@dataclass(frozen=True)
class Scanned:
    """What a phone did with a session."""

    #: The status in the last answer to the phone: `CONFIRMED` or `COMPLETED`, or `CANCELLED`.
    status: str
    #: The request as the phone showed it.
    scanned: Mapping[str, Any]

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Scanned:
        return cls(answer["status"], answer["scanned"])


@dataclass(frozen=True)
class PlayedLogin(Scanned):
    """What a phone did with a login or a signature on the hosted page."""

    #: Where the page sends the browser: the client's callback with its query. None when it ended without, as for `decline`.
    redirect: str | None = None

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> PlayedLogin:
        return cls(answer["status"], answer["scanned"], answer.get("redirect"))


@dataclass(frozen=True)
class Webhook:
    """A webhook as it was sent, or would have been sent to an endpoint for all events."""

    #: Counts up over the webhooks of all clients.
    number: int
    #: Of the endpoint; None where the client has none.
    url: str | None
    #: With lower-case names. Send these and the body to your application, to test its receiver.
    headers: Mapping[str, str]
    #: To the letter, as its signature covers it.
    body: str

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Webhook:
        return cls(answer["number"], answer.get("url"), answer["headers"], answer["body"])

    @property
    def type(self) -> str:
        """Such as `session.completed`."""
        found: str = json.loads(self.body)["type"]
        return found

    @property
    def data(self) -> Mapping[str, Any]:
        """What it tells: `sessionId`, `status`, …"""
        found: Mapping[str, Any] = json.loads(self.body)["data"]
        return found
