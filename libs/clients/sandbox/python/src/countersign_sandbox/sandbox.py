from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from .answers import Client, Phone, PlayedLogin, Scanned, Webhook
from .calls import SandboxCalls
from .errors import SandboxError
from .program import SandboxProgram
from .seeded import SEEDED_CLIENT
from .settings import SANDBOX_URL, command_of_sandbox, running_url

#: Seconds between two looks for a webhook.
_PAUSE = 0.05


class Sandbox:
    """A sandbox that runs. Every call raises a SandboxError."""

    def __init__(self, url: str, client: Client = SEEDED_CLIENT, stop: Callable[[], None] = lambda: None) -> None:
        #: The service's address, an origin.
        self.url = url
        #: Of OpenID Connect: what your library finds all else by.
        self.issuer = f"{url}/openid"
        #: Of the hosted page. The browser is sent to it with `?t=` and the handoff token.
        self.login_url = f"{url}/login"
        #: The client of every sandbox. It has the redirect URIs with which the sandbox was started.
        self.client = client
        self._calls = SandboxCalls(url)
        self._stop = stop

    @classmethod
    def start(cls, redirect_uris: Sequence[str] = (), port: int = 0) -> Sandbox:
        """Starts one, and returns when it answers. It ends by `stop`, or when this process ends, however it ends.

        Where the environment variable COUNTERSIGN_SANDBOX_URL names one that runs, takes that one and leaves it running.
        """
        url = running_url()
        if url is not None:
            return cls.at(url)
        clients = [word for uri in redirect_uris for word in ("--client", uri)]
        program = SandboxProgram(command_of_sandbox(), ["--port", str(port), *clients])
        listed = program.started["clients"]
        return cls(program.started["url"], Client.read(listed[0]) if listed else SEEDED_CLIENT, program.stop)

    @classmethod
    def at(cls, url: str) -> Sandbox:
        """The one that runs at this address."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise SandboxError(f"{url} is no address of a sandbox: give {SANDBOX_URL} one like http://localhost:3000")
        return cls(f"{parts.scheme}://{parts.netloc}")

    def create_client(self, redirect_uris: Sequence[str]) -> Client:
        """A client of its own, for one test: tests that run at the same time do not see each other's sessions and webhooks."""
        answer = self._calls.send("POST", "/clients", {"redirect_uris": list(redirect_uris)})
        return Client(answer["clientId"], answer["clientSecret"], tuple(redirect_uris))

    def create_phone(self, persona: str, delay_seconds: int | None = None) -> Phone:
        """A person of its own with a phone. For `wrong-pin`: it locks the phone, and a locked one refuses every further test.

        `delay_seconds`: for how long `slow` thinks, 1 to 600.
        """
        delay: dict[str, Any] = {} if delay_seconds is None else {"delay_seconds": delay_seconds}
        return Phone.read(self._calls.send("POST", "/phones", {"persona": persona, **delay}))

    def log_in(self, url: str, phone_id: str = "ok") -> PlayedLogin:
        """Plays the hosted page and the phone. `url`: where your application sends the browser, of the hosted page or of `/authorize`.

        Open the `redirect` that it answers with the cookies of the browser that began. `phone_id`: by default the person who confirms.
        """
        return PlayedLogin.read(self._calls.send("POST", f"/phones/{quote(phone_id, safe='')}/login", {"url": url}))

    def scan(self, qr: str, phone_id: str = "ok") -> Scanned:
        """Plays the phone alone. `qr`: the text of a QR code."""
        return Scanned.read(self._calls.send("POST", f"/phones/{quote(phone_id, safe='')}/scan", {"qr": qr}))

    def webhooks(self, client: Client) -> list[Webhook]:
        """The webhooks of a client, oldest first: as they were sent to its endpoints, or would have been if it had one.

        They are signed; those of a client without an endpoint with WEBHOOK_SECRET. They come a moment after what they tell of.
        """
        answer = self._calls.send("GET", f"/webhooks?client_id={quote(client.client_id, safe='')}")
        return [Webhook.read(each) for each in answer["webhooks"]]

    def wait_for_webhook(self, client: Client, type: str, timeout: float = 10) -> Webhook:
        """The newest webhook of a type, such as `session.completed`, as soon as there is one. `timeout`: in seconds."""
        give_up_at = time.monotonic() + timeout
        while True:
            webhooks = self.webhooks(client)
            for webhook in reversed(webhooks):
                if webhook.type == type:
                    return webhook
            if time.monotonic() > give_up_at:
                others = ", ".join(webhook.type for webhook in webhooks) or "none"
                raise SandboxError(f"no webhook {type} came within {timeout} s; those of the client: {others}")
            time.sleep(_PAUSE)

    def move_clock(self, seconds: int) -> int:
        """Moves the clock of the whole sandbox forward, until a reset. Answers its new time in epoch seconds."""
        now: int = self._calls.send("POST", "/clock", {"advance_seconds": seconds})["now"]
        return now

    def switch_faults(self, *, time_stamp_down: bool) -> None:
        """Makes the time-stamping authority fail for all tests, or work again."""
        self._calls.send("POST", "/faults", {"time_stamp_down": time_stamp_down})

    def reset(self) -> None:
        """Puts everything back to what a new sandbox has. Not beside tests that run at the same time: it ends their logins."""
        self._calls.send("POST", "/reset")

    def stop(self) -> None:
        """Ends the sandbox, if this process started it."""
        self._stop()
