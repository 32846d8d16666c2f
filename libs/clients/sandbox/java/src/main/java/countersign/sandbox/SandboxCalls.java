package countersign.sandbox;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The calls of {@code /sandbox/v1}, in JSON. */
final class SandboxCalls {
  private static final Gson GSON = new Gson();
  /** Longer than the longest delay of a phone (600 s), so that only a sandbox that hangs ends one. */
  private static final Duration TIME_LIMIT = Duration.ofSeconds(660);

  private final String url;
  /** Without a proxy: the sandbox refuses what one forwards. */
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(ProxySelector.of(null)).build();

  SandboxCalls(String url) {
    this.url = url;
  }

  JsonElement get(String path) {
    return send("GET", path, request(path).GET());
  }

  JsonElement post(String path, Map<String, ?> body) {
    return send("POST", path, request(path).header("content-type", "application/json").POST(BodyPublishers.ofString(GSON.toJson(body))));
  }

  JsonElement post(String path) {
    return send("POST", path, request(path).POST(BodyPublishers.noBody()));
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> mapOf(JsonElement json) {
    return GSON.fromJson(json, Map.class);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + "/sandbox/v1" + path)).timeout(TIME_LIMIT);
  }

  private JsonElement send(String method, String path, HttpRequest.Builder request) {
    HttpResponse<String> answer;
    try {
      answer = http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException error) {
      throw new SandboxException("the sandbox at " + url + " cannot be reached: " + error, error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new SandboxException("the call to the sandbox was interrupted", error);
    }
    if (answer.statusCode() / 100 != 2) throw refusal(method + " /sandbox/v1" + path, answer);
    return JsonParser.parseString(answer.body());
  }

  private static SandboxException refusal(String call, HttpResponse<String> answer) {
    JsonObject envelope = objectIn(answer.body());
    String code = textIn(envelope, "errorCode");
    String words =
        Stream.of(code, textIn(envelope, "defaultTranslation")).filter(Objects::nonNull).map(word -> ": " + word).collect(Collectors.joining());
    return new SandboxException("the sandbox answered " + answer.statusCode() + " to " + call + words, code);
  }

  private static JsonObject objectIn(String text) {
    try {
      JsonElement json = JsonParser.parseString(text);
      return json.isJsonObject() ? json.getAsJsonObject() : new JsonObject();
    } catch (JsonParseException notJson) {
      return new JsonObject();
    }
  }

  static String textIn(JsonObject json, String member) {
    JsonElement value = json.get(member);
    return value == null || value.isJsonNull() ? null : value.getAsString();
  }

  static List<String> textsIn(JsonObject json, String member) {
    return json.getAsJsonArray(member).asList().stream().map(JsonElement::getAsString).toList();
  }
}
