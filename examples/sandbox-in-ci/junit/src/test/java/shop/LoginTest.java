package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import countersign.sandbox.RedirectUris;
import countersign.sandbox.Sandbox;
import countersign.sandbox.SandboxClient;
import countersign.sandbox.SandboxExtension;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SandboxExtension.class)
@RedirectUris("http://localhost:8080/callback")
class LoginTest {
  private final Map<String, String> session = new HashMap<>();
  private Shop shop;

  @BeforeEach
  void open(Sandbox sandbox, SandboxClient client) throws Exception {
    shop = new Shop(sandbox.issuer(), client.clientId(), client.clientSecret(), client.redirectUris().get(0));
  }

  @Test
  void aPersonLogsIn(Sandbox sandbox) throws Exception {
    var played = sandbox.logIn(shop.login(session));
    shop.callback(session, played.redirect().orElseThrow());
    assertEquals(36, session.get("subject").length());
  }

  @Test
  void aPersonDeclines(Sandbox sandbox) throws Exception {
    var played = sandbox.logIn(shop.login(session), "decline");
    assertEquals("CANCELLED", played.status());
    assertTrue(played.redirect().isEmpty());
    assertNull(session.get("subject"));
  }

  @Test
  void aWebhookTellsOfTheLogin(Sandbox sandbox, SandboxClient client) throws Exception {
    sandbox.logIn(shop.login(session));
    var webhook = sandbox.waitForWebhook(client, "session.completed");
    assertEquals("COMPLETED", webhook.data().get("status"));
  }
}
