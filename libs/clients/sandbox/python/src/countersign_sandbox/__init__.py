"""A sandbox of Countersign for tests. `Sandbox.start()` starts one; the fixtures of pytest are in `pytest_plugin`."""

from .answers import Client, Phone, PlayedLogin, Scanned, Webhook
from .errors import SandboxError
from .sandbox import Sandbox
from .seeded import SEEDED_CLIENT, WEBHOOK_SECRET

__all__ = ["SEEDED_CLIENT", "WEBHOOK_SECRET", "Client", "Phone", "PlayedLogin", "Sandbox", "SandboxError", "Scanned", "Webhook"]
