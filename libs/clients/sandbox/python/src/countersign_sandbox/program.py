from __future__ import annotations

import json
import shutil
import subprocess
from collections import deque
from collections.abc import Sequence
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from .errors import SandboxError

#: Seconds until a sandbox that says nothing has failed. `npx` may have to install it first.
START_TIME = 120
#: Seconds after the end of its input until a sandbox that still runs is killed.
END_TIME = 10
#: Lines of its log that the error of a failed start shows.
SHOWN_OF_LOG = 20


class SandboxProgram:
    """The program of the sandbox as a process of its own.

    It ends with its standard input, which ends with this process however that ends, so that nothing is left behind.
    """

    def __init__(self, command: Sequence[str], parameters: Sequence[str], start_time: float = START_TIME) -> None:
        """Returns when the sandbox answers requests. Raises a SandboxError with the end of its log."""
        pipe = subprocess.PIPE
        words = [_program(command[0]), *command[1:], *parameters, "--json", "--until-stdin-ends"]
        try:
            self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8", errors="replace")
        except OSError as error:
            raise SandboxError(f"the sandbox did not start: {command[0]} cannot be run: {error}") from error
        self._log: deque[str] = deque(maxlen=SHOWN_OF_LOG)
        self._said: Queue[str] = Queue()
        self._logging = _reader(self._process.stderr, self._log.append)
        _reader(self._process.stdout, self._said.put, at_end=lambda: self._said.put(""))
        #: What it said when it was ready: `url` and `clients`.
        self.started = self._read_start(start_time)

    def stop(self) -> None:
        """Ends it, and returns when it has ended."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            self._process.wait(END_TIME)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read_start(self, start_time: float) -> dict[str, Any]:
        try:
            line = self._said.get(timeout=start_time)
        except Empty:
            raise self._failure(f"it was not ready after {start_time} s") from None
        if not line:
            raise self._failure(f"it ended with {self._process.wait()}")
        try:
            started = json.loads(line)
            return {"url": started["url"], "clients": started["clients"]}
        except (ValueError, KeyError, TypeError):
            raise self._failure(f"it said something else than its address: {line.strip()}") from None

    def _failure(self, why: str) -> SandboxError:
        self._process.kill()
        self._process.wait()
        self._logging.join()
        return SandboxError("\n".join([f"the sandbox did not start: {why}", *(line.rstrip() for line in self._log)]))


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise SandboxError(
            f"the sandbox did not start: {name} was not found. It needs Node.js 22.13 or later: install it, "
            "or set COUNTERSIGN_SANDBOX_COMMAND to the command that starts the sandbox, or COUNTERSIGN_SANDBOX_URL to the address of one that runs"
        )
    return found


def _reader(stream: IO[str] | None, take: Any, at_end: Any = None) -> Thread:
    """Takes each line, so that the program never waits for a full pipe."""

    def read() -> None:
        for line in stream or ():
            take(line)
        if at_end:
            at_end()

    thread = Thread(target=read, daemon=True)
    thread.start()
    return thread
