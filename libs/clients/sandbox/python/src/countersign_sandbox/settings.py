from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

#: The address of a sandbox that runs.
SANDBOX_URL = "COUNTERSIGN_SANDBOX_URL"
#: The command that starts the sandbox, such as `npx ./countersign-sandbox-0.1.0.tgz`, as a shell splits it into words.
SANDBOX_COMMAND = "COUNTERSIGN_SANDBOX_COMMAND"

#: The package of the same version.
DEFAULT_COMMAND = ("npx", "--yes", "@countersign/sandbox@0.1.0")


def running_url() -> str | None:
    return os.environ.get(SANDBOX_URL) or None


def command_of_sandbox() -> Sequence[str]:
    given = os.environ.get(SANDBOX_COMMAND)
    return shlex.split(given) if given else DEFAULT_COMMAND
