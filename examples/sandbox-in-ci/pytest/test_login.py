import pytest

from shop import Shop


@pytest.fixture
def shop(countersign_sandbox, countersign_client):
    client = countersign_client
    return Shop(countersign_sandbox.issuer, client.client_id, client.client_secret, client.redirect_uris[0])


def test_a_person_logs_in(countersign_sandbox, shop):
    session = {}
    played = countersign_sandbox.log_in(shop.login(session))
    shop.callback(session, played.redirect)
    assert len(session["subject"]) == 36


def test_a_person_declines(countersign_sandbox, shop):
    session = {}
    played = countersign_sandbox.log_in(shop.login(session), "decline")
    assert (played.status, played.redirect) == ("CANCELLED", None)
    assert "subject" not in session


def test_a_webhook_tells_of_the_login(countersign_sandbox, countersign_client, shop):
    countersign_sandbox.log_in(shop.login({}))
    webhook = countersign_sandbox.wait_for_webhook(countersign_client, "session.completed")
    assert webhook.data["status"] == "COMPLETED"
