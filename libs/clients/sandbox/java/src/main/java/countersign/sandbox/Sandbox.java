package countersign.sandbox;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sandbox that runs. Every call throws a {@link SandboxException}. */
public final class Sandbox implements AutoCloseable {
  /** The secret with which the sandbox signs the webhooks of a client that has no endpoint. Give it to the receiver in your application. */
  public static final String WEBHOOK_SECRET = "whsec_VNSj3dc/OW3nB6Fti3tUedShZ5edP7Lv3nOo4MjjL0I=";

  private static final Duration WEBHOOK_TIME = Duration.ofSeconds(10);
  private static final long PAUSE_MILLISECONDS = 50;
  /** The id of the phone of the person who confirms. */
  private static final String CONFIRMING = "ok";

  private final String url;
  private final SandboxClient client;
  private final SandboxCalls calls;
  private final Runnable stop;

  private Sandbox(String url, SandboxClient client, Runnable stop) {
    this.url = url;
    this.client = client;
    this.calls = new SandboxCalls(url);
    this.stop = stop;
  }

  /**
   * Starts one, and returns when it answers. It ends by {@link #close}, or when this process ends, however it ends. Where the environment variable {@code
   * COUNTERSIGN_SANDBOX_URL} names one that runs, takes that one and leaves it running.
   *
   * @param redirectUris of your application, for {@link #client}
   */
  public static Sandbox start(String... redirectUris) {
    Optional<String> running = SandboxSettings.runningUrl();
    if (running.isPresent()) return new Sandbox(originOf(running.get()), SandboxClient.SEEDED, () -> {});
    List<String> parameters = new ArrayList<>(List.of("--port", "0"));
    for (String uri : redirectUris) parameters.addAll(List.of("--client", uri));
    SandboxProgram program = new SandboxProgram(SandboxSettings.command(), parameters);
    JsonObject started = program.started();
    List<JsonElement> clients = started.getAsJsonArray("clients").asList();
    return new Sandbox(started.get("url").getAsString(), clients.isEmpty() ? SandboxClient.SEEDED : clientIn(clients.get(0)), program::stop);
  }

  /** The service's address, an origin. */
  public String url() {
    return url;
  }

  /** Of OpenID Connect: what your library finds all else by. */
  public String issuer() {
    return url + "/openid";
  }

  /** Of the hosted page. The browser is sent to it with {@code ?t=} and the handoff token. */
  public String loginUrl() {
    return url + "/login";
  }

  /** The client of every sandbox. It has the redirect URIs with which the sandbox was started. */
  public SandboxClient client() {
    return client;
  }

  /** A client of its own, for one test: tests that run at the same time do not see each other's sessions and webhooks. */
  public SandboxClient createClient(String... redirectUris) {
    JsonObject answer = calls.post("/clients", Map.of("redirect_uris", redirectUris)).getAsJsonObject();
    return new SandboxClient(answer.get("clientId").getAsString(), answer.get("clientSecret").getAsString(), List.of(redirectUris));
  }

  /**
   * A person of its own with a phone. For {@code wrong-pin}: it locks the phone, and a locked one refuses every further test.
   *
   * @param persona how the person acts (docs/specification/sandbox.md#phones)
   */
  public SandboxPhone createPhone(String persona) {
    return phoneIn(calls.post("/phones", Map.of("persona", persona)));
  }

  /** A person of its own who thinks for this long, 1 to 600 s, and then confirms. */
  public SandboxPhone createSlowPhone(int delaySeconds) {
    return phoneIn(calls.post("/phones", Map.of("persona", "slow", "delay_seconds", delaySeconds)));
  }

  /** As {@link #logIn(String, String)}, by the person who confirms. */
  public PlayedLogin logIn(String url) {
    return logIn(url, CONFIRMING);
  }

  /**
   * Plays the hosted page and the phone. Open the redirect that it answers with the cookies of the browser that began.
   *
   * @param url where your application sends the browser: of the hosted page or of OpenID Connect's {@code /authorize}
   */
  public PlayedLogin logIn(String url, String phoneId) {
    JsonObject answer = calls.post("/phones/" + encoded(phoneId) + "/login", Map.of("url", url)).getAsJsonObject();
    Scanned scanned = scannedIn(answer);
    return new PlayedLogin(scanned.status(), scanned.scanned(), Optional.ofNullable(SandboxCalls.textIn(answer, "redirect")));
  }

  /** Plays the phone alone, with the text of a QR code. */
  public Scanned scan(String qr, String phoneId) {
    return scannedIn(calls.post("/phones/" + encoded(phoneId) + "/scan", Map.of("qr", qr)).getAsJsonObject());
  }

  /**
   * The webhooks of a client, oldest first: as they were sent to its endpoints, or would have been if it had one. They are signed; those of a client without an
   * endpoint with {@link #WEBHOOK_SECRET}. They come a moment after what they tell of.
   */
  public List<RecordedWebhook> webhooks(SandboxClient client) {
    JsonObject answer = calls.get("/webhooks?client_id=" + encoded(client.clientId())).getAsJsonObject();
    return answer.getAsJsonArray("webhooks").asList().stream().map(Sandbox::webhookIn).toList();
  }

  /** The newest webhook of a type, such as {@code session.completed}, as soon as there is one: within ten seconds. */
  public RecordedWebhook waitForWebhook(SandboxClient client, String type) {
    long giveUpAt = System.nanoTime() + WEBHOOK_TIME.toNanos();
    while (true) {
      List<RecordedWebhook> webhooks = webhooks(client);
      Optional<RecordedWebhook> found = webhooks.stream().filter(webhook -> webhook.type().equals(type)).reduce((older, newer) -> newer);
      if (found.isPresent()) return found.get();
      if (System.nanoTime() > giveUpAt)
        throw new SandboxException(
            "no webhook " + type + " came within " + WEBHOOK_TIME.toSeconds() + " s; those of the client: " + webhooks.stream().map(RecordedWebhook::type).toList());
      pause();
    }
  }

  /** Moves the clock of the whole sandbox forward, until a reset. Answers its new time in epoch seconds. */
  public long moveClock(int seconds) {
    return calls.post("/clock", Map.of("advance_seconds", seconds)).getAsJsonObject().get("now").getAsLong();
  }

  /** Makes the time-stamping authority fail for all tests, or work again. */
  public void switchTimeStampDown(boolean down) {
    calls.post("/faults", Map.of("time_stamp_down", down));
  }

  /** Puts everything back to what a new sandbox has. Not beside tests that run at the same time: it ends their logins. */
  public void reset() {
    calls.post("/reset");
  }

  /** Ends the sandbox, if this process started it. */
  @Override
  public void close() {
    stop.run();
  }

  private static String originOf(String url) {
    try {
      URI address = URI.create(url);
      if (address.getHost() != null) return address.getScheme() + "://" + address.getRawAuthority();
    } catch (IllegalArgumentException malformed) {
      // Said below.
    }
    throw new SandboxException(SandboxSettings.URL + " is no address: give one like http://localhost:3000");
  }

  private static SandboxClient clientIn(JsonElement answer) {
    JsonObject client = answer.getAsJsonObject();
    return new SandboxClient(
        client.get("clientId").getAsString(), client.get("clientSecret").getAsString(), SandboxCalls.textsIn(client, "redirectUris"));
  }

  private static SandboxPhone phoneIn(JsonElement answer) {
    JsonObject phone = answer.getAsJsonObject();
    return new SandboxPhone(
        phone.get("phoneId").getAsString(), phone.get("persona").getAsString(), SandboxCalls.mapOf(phone.get("identity")));
  }

  private static RecordedWebhook webhookIn(JsonElement answer) {
    JsonObject webhook = answer.getAsJsonObject();
    Map<String, String> headers = new HashMap<>();
    webhook.getAsJsonObject("headers").entrySet().forEach(header -> headers.put(header.getKey(), header.getValue().getAsString()));
    String body = webhook.get("body").getAsString();
    JsonObject event = JsonParser.parseString(body).getAsJsonObject();
    return new RecordedWebhook(
        webhook.get("number").getAsLong(),
        Optional.ofNullable(SandboxCalls.textIn(webhook, "url")),
        headers,
        body,
        event.get("type").getAsString(),
        SandboxCalls.mapOf(event.get("data")));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLISECONDS);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new SandboxException("the wait for a webhook was interrupted", error);
    }
  }

  private static Scanned scannedIn(JsonObject answer) {
    return new Scanned(answer.get("status").getAsString(), SandboxCalls.mapOf(answer.get("scanned")));
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
