import pytest


@pytest.fixture
def countersign_redirect_uris():
    return ["http://localhost:8000/callback"]
