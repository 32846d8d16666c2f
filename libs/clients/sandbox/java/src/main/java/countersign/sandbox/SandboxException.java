package countersign.sandbox;

import java.util.Optional;

/** The sandbox did not start, cannot be reached, or refused a call. The message says what to do. */
public final class SandboxException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String errorCode;

  SandboxException(String message, Throwable cause) {
    super(message, cause);
    errorCode = null;
  }

  SandboxException(String message, String errorCode) {
    super(message);
    this.errorCode = errorCode;
  }

  SandboxException(String message) {
    this(message, (String) null);
  }

  /** The sandbox's code of a refused call, such as {@code invalid_request}. */
  public Optional<String> errorCode() {
    return Optional.ofNullable(errorCode);
  }
}
