package countersign.sandbox;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The program of the sandbox as a process of its own. It ends with its standard input, which ends with this process however that ends, so that
 * nothing is left behind.
 */
final class SandboxProgram {
  /** {@code npx} may have to install it first. */
  private static final long START_SECONDS = 120;
  /** After the end of its input, until a sandbox that still runs is killed. */
  private static final long END_SECONDS = 10;
  private static final int SHOWN_LINES_OF_LOG = 20;

  private final Process process;
  private final Deque<String> log = new ArrayDeque<>();
  private final Thread logging;
  /** What it said when it was ready. */
  private final JsonObject started;

  /** Returns when the sandbox answers requests. Throws a SandboxException with the end of its log. */
  SandboxProgram(List<String> command, List<String> parameters) {
    List<String> words = new ArrayList<>(command);
    words.addAll(parameters);
    words.addAll(List.of("--json", "--until-stdin-ends"));
    try {
      process = new ProcessBuilder(words).start();
    } catch (IOException error) {
      throw new SandboxException(
          "the sandbox did not start: "
              + command.get(0)
              + " cannot be run. It needs Node.js 22.13 or later: install it, or set "
              + SandboxSettings.COMMAND
              + " to the command that starts the sandbox, or "
              + SandboxSettings.URL
              + " to the address of one that runs",
          error);
    }
    CompletableFuture<String> said = new CompletableFuture<>();
    logging = read(process.getErrorStream(), this::keep);
    Thread saying = read(process.getInputStream(), said::complete);
    started = readStart(said, saying);
  }

  JsonObject started() {
    return started;
  }

  /** Ends it, and returns when it has ended. */
  void stop() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (IOException alreadyEnded) {
      process.destroyForcibly();
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private JsonObject readStart(CompletableFuture<String> said, Thread saying) {
    // Its output ends when it does.
    Thread end = new Thread(() -> { joined(saying); said.complete(""); });
    end.setDaemon(true);
    end.start();
    String line;
    try {
      line = said.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw failure("it was not ready after " + START_SECONDS + " s");
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw failure("the start was interrupted");
    } catch (ExecutionException error) {
      throw new IllegalStateException(error);
    }
    if (line.isEmpty()) throw failure("it ended");
    try {
      JsonObject object = JsonParser.parseString(line).getAsJsonObject();
      if (object.has("url") && object.has("clients")) return object;
    } catch (RuntimeException notJson) {
      // Said below.
    }
    throw failure("it said something else than its address: " + line);
  }

  private SandboxException failure(String why) {
    process.destroyForcibly();
    joined(logging);
    synchronized (log) {
      return new SandboxException("the sandbox did not start: " + why + (log.isEmpty() ? "" : "\n" + String.join("\n", log)));
    }
  }

  private void keep(String line) {
    synchronized (log) {
      if (log.size() == SHOWN_LINES_OF_LOG) log.removeFirst();
      log.addLast(line);
    }
  }

  /** Takes each line, so that the program never waits for a full pipe. */
  private static Thread read(InputStream stream, Consumer<String> take) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                lines.lines().forEach(take);
              } catch (IOException | java.io.UncheckedIOException ended) {
                // The process has ended.
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}
