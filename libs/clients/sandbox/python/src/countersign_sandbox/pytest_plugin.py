"""Fixtures of pytest: one sandbox for the run, a client of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from .answers import Client
from .errors import SandboxError
from .sandbox import Sandbox

_INPUT = "countersign_sandbox_url"


class _SharedSandbox:
    """With pytest-xdist: the sandbox of all workers, which belongs to the process that started them."""

    def __init__(self) -> None:
        self._sandbox: Sandbox | None = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        if self._sandbox is None:
            try:
                self._sandbox = Sandbox.start()
            except SandboxError as error:
                pytest.exit(str(error), returncode=pytest.ExitCode.INTERNAL_ERROR)
        node.workerinput[_INPUT] = self._sandbox.url

    def pytest_unconfigure(self) -> None:
        if self._sandbox is not None:
            self._sandbox.stop()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_SharedSandbox())


@pytest.fixture(scope="session")
def countersign_sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """The sandbox of this run. It starts with the first test that asks for it; the workers of pytest-xdist share one."""
    url = getattr(request.config, "workerinput", {}).get(_INPUT)
    try:
        sandbox = Sandbox.start() if url is None else Sandbox.at(url)
    except SandboxError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    yield sandbox
    sandbox.stop()


@pytest.fixture
def countersign_redirect_uris() -> Sequence[str]:
    """The redirect URIs of `countersign_client`. Define a fixture of this name in `conftest.py` to give those of your application."""
    return ["http://localhost:8000/callback"]


@pytest.fixture
def countersign_client(countersign_sandbox: Sandbox, countersign_redirect_uris: Sequence[str]) -> Client:
    """A client of its own for this test, so that tests may run at the same time."""
    return countersign_sandbox.create_client(countersign_redirect_uris)
