package countersign.sandbox;

import java.util.List;

/** A relying party of the sandbox. */
public record SandboxClient(String clientId, String clientSecret, List<String> redirectUris) {
  /** The client of every sandbox (docs/specification/sandbox.md#what-is-there-from-the-start). No other service accepts its secret. */
  static final SandboxClient SEEDED =
      new SandboxClient("5a4db000-0000-4000-8000-000000000001", "sandbox-secret-that-only-a-sandbox-accepts", List.of());

  @Override
  public String toString() {
    return "SandboxClient[" + clientId + ", " + redirectUris + "]";
  }
}
