package shop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** The application whose login is tested: it logs in by OpenID Connect, without a library. */
public final class Shop {
  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
  private final HttpClient http = HttpClient.newHttpClient();
  private final String clientId;
  private final String clientSecret;
  private final String redirectUri;
  private final JsonObject addresses;

  public Shop(String issuer, String clientId, String clientSecret, String redirectUri) throws IOException, InterruptedException {
    this.clientId = clientId;
    this.clientSecret = clientSecret;
    this.redirectUri = redirectUri;
    addresses = json(HttpRequest.newBuilder(URI.create(issuer + "/.well-known/openid-configuration")));
  }

  /** The address to which the browser is sent. {@code session}: that of the browser, on the server. */
  public String login(Map<String, String> session) throws GeneralSecurityException {
    session.put("state", random());
    session.put("verifier", random());
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(session.get("verifier").getBytes(StandardCharsets.US_ASCII));
    return addresses.get("authorization_endpoint").getAsString() + "?" + form(Map.of(
        "response_type", "code",
        "scope", "openid",
        "client_id", clientId,
        "redirect_uri", redirectUri,
        "state", session.get("state"),
        "code_challenge", BASE64URL.encodeToString(digest),
        "code_challenge_method", "S256"));
  }

  /** Logs the person in who comes back at this address. */
  public void callback(Map<String, String> session, String url) throws IOException, InterruptedException {
    Map<String, String> query = Arrays.stream(URI.create(url).getRawQuery().split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    if (!query.get("state").equals(session.remove("state"))) throw new SecurityException("the answer belongs to another login");
    String credentials = Base64.getEncoder().encodeToString((clientId + ":" + clientSecret).getBytes(StandardCharsets.US_ASCII));
    String grant = form(Map.of(
        "grant_type", "authorization_code",
        "code", query.get("code"),
        "redirect_uri", redirectUri,
        "code_verifier", session.remove("verifier")));
    JsonObject tokens = json(HttpRequest.newBuilder(address("token_endpoint"))
        .header("authorization", "Basic " + credentials)
        .header("content-type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(grant)));
    JsonObject person = json(HttpRequest.newBuilder(address("userinfo_endpoint"))
        .header("authorization", "Bearer " + tokens.get("access_token").getAsString()));
    session.put("subject", person.get("sub").getAsString());
  }

  private URI address(String name) {
    return URI.create(addresses.get(name).getAsString());
  }

  private JsonObject json(HttpRequest.Builder request) throws IOException, InterruptedException {
    var answer = http.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IOException("the login service answered " + answer.statusCode());
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static String random() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return BASE64URL.encodeToString(bytes);
  }
}
