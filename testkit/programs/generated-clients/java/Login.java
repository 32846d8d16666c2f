import com.fasterxml.jackson.databind.ObjectMapper;
import countersign.client.ApiClient;
import countersign.client.ApiException;
import countersign.client.api.SessionsApi;
import countersign.client.model.CodeChallengeMethod;
import countersign.client.model.CreateSessionRequest;
import countersign.client.model.ErrorAnswer;
import countersign.client.model.ExchangeTokenRequest;
import countersign.client.model.SessionStatus;
import countersign.client.model.SignatureType;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;

/** A login by the generated client for Java, from the session to the subjectId. Prints what it saw as one line of JSON. */
public class Login {
  private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();
  private static final String REDIRECT_URI = System.getenv("REDIRECT_URI");

  public static void main(String[] arguments) throws Exception {
    String verifier = random();
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
    String client = System.getenv("CLIENT_ID") + ":" + System.getenv("CLIENT_SECRET");
    String authorization = "Basic " + Base64.getEncoder().encodeToString(client.getBytes(StandardCharsets.UTF_8));
    ApiClient api = new ApiClient();
    api.updateBaseUri(System.getenv("BASE_URL"));
    api.setRequestInterceptor(request -> request.header("Authorization", authorization));
    SessionsApi sessions = new SessionsApi(api);

    CreateSessionRequest request =
        new CreateSessionRequest()
            .signatureType(SignatureType.AUTHENTICATION)
            .redirectUri(REDIRECT_URI)
            .state(random())
            .codeChallenge(base64url(digest))
            .codeChallengeMethod(CodeChallengeMethod.S256);
    UUID sessionId = sessions.createSession(request, null).getSessionId();
    SessionStatus before = sessions.getSession(sessionId, null, null).getStatus();
    scan(sessionId);
    SessionStatus status = before;
    while (status == SessionStatus.PENDING || status == SessionStatus.SCANNED)
      status = sessions.getSession(sessionId, "wait=25", status).getStatus();
    String code = parameter(sessions.completeSession(sessionId).getRedirect(), "code");
    ExchangeTokenRequest exchange = new ExchangeTokenRequest().code(code).codeVerifier(verifier);
    UUID subjectId = sessions.exchangeToken(exchange).getSubjectId();
    Object refused;
    try {
      refused = sessions.exchangeToken(exchange);
    } catch (ApiException refusal) {
      refused = JSON.readValue(refusal.getResponseBody(), ErrorAnswer.class).getErrorCode();
    }
    System.out.println(JSON.writeValueAsString(Map.of("before", before, "after", status, "subjectId", subjectId, "refused", refused)));
  }

  /** The phone of the sandbox scans the code of the waiting page, and confirms. */
  private static void scan(UUID sessionId) throws Exception {
    String query = "sessionId=" + sessionId + "&returnUrl=" + URLEncoder.encode(REDIRECT_URI, StandardCharsets.UTF_8);
    String body = JSON.writeValueAsString(Map.of("qr", System.getenv("APP_SCHEME") + "://app/scan?" + query));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(System.getenv("PHONE") + "/scan"))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
  }

  private static String parameter(URI address, String name) {
    for (String pair : address.getQuery().split("&")) if (pair.startsWith(name + "=")) return pair.substring(name.length() + 1);
    throw new IllegalStateException("no " + name + " in " + address);
  }

  private static String random() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return base64url(bytes);
  }

  private static String base64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
