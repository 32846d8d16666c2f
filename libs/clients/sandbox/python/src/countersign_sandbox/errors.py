from __future__ import annotations


class SandboxError(Exception):
    """The sandbox did not start, cannot be reached, or refused a call. The message says what to do."""

    def __init__(self, message: str, error_code: str | None = None) -> None:
        super().__init__(message)
        #: The sandbox's code of a refused call, such as `invalid_request`.
        self.error_code = error_code
