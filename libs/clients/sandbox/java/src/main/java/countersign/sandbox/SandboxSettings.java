package countersign.sandbox;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The environment variables of the helper. */
final class SandboxSettings {
  /** The address of a sandbox that runs. */
  static final String URL = "COUNTERSIGN_SANDBOX_URL";
  /** The command that starts the sandbox, such as {@code npx ./countersign-sandbox-0.1.0.tgz}. Words are separated by spaces; one with spaces stands in double quotes. */
  static final String COMMAND = "COUNTERSIGN_SANDBOX_COMMAND";

  private static final String NPX = System.getProperty("os.name").startsWith("Windows") ? "npx.cmd" : "npx";
  /** The package of the same version. */
  private static final List<String> DEFAULT_COMMAND = List.of(NPX, "--yes", "@countersign/sandbox@0.1.0");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  private SandboxSettings() {}

  static Optional<String> runningUrl() {
    return variable(URL);
  }

  static List<String> command() {
    return variable(COMMAND).map(SandboxSettings::wordsOf).orElse(DEFAULT_COMMAND);
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
  }

  private static List<String> wordsOf(String command) {
    return WORD.matcher(command).results().map(SandboxSettings::wordOf).toList();
  }

  private static String wordOf(MatchResult found) {
    return found.group(1) == null ? found.group(2) : found.group(1);
  }
}
